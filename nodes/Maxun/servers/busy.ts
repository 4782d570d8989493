import { MaxunFault } from '../http/fault';

/** A start found no free browser, and no run has started. */
export class Busy extends MaxunFault {
	readonly stopsOthers: boolean = true;

	constructor(reason: MaxunFault) {
		super(reason.message, reason.description, reason);
	}
}
