import { MaxunFault } from '../http/fault';

/** The fault for a start without a free browser. No run has started. When another run ends, a start may succeed. */
export class Busy extends MaxunFault {
	/** Whether other runs can't start now either. */
	readonly stopsOthers: boolean = true;

	/** @param reason what the server said; becomes the error of an item that times out */
	constructor(reason: MaxunFault) {
		super(reason.message, reason.description, reason);
	}
}
