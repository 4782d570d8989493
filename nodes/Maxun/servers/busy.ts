import { MaxunFault } from '../http/fault';

/** The fault of a start for which no browser is free. It has started nothing. When another run ends, it may succeed. */
export class Busy extends MaxunFault {
	/** Whether other runs can't start now either. */
	readonly stopsOthers: boolean = true;

	/** @param reason what the server said; the error of an item whose time is up */
	constructor(reason: MaxunFault) {
		super(reason.message, reason.description, reason);
	}
}
