import { MaxunFault } from '../http/fault';

/** The fault for a start without a free browser. No run has started. When another run ends, a start may succeed. */
export class Busy extends MaxunFault {
	readonly stopsOthers: boolean = true;

	constructor(reason: MaxunFault) {
		super(reason.message, reason.description, reason);
	}
}
