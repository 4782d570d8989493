import { MaxunFault } from '../http/fault';

/** The fault of a start for which no browser is free. No run has started. When another run ends, a start may succeed. */
export class Busy extends MaxunFault {
	/** Whether other runs can't start now either. */
	readonly stopsOthers: boolean = true;

	/** @param reason what the server said; the error of an item whose time is up */
	constructor(reason: MaxunFault) {
		super(reason.message, reason.description, reason);
	}
}
