import { MaxunFault } from '../http/fault';

/** A start was rejected because all browsers were busy. */
export class Busy extends MaxunFault {
	readonly stopsOthers: boolean = true;

	constructor(reason: MaxunFault) {
		super(reason.message, reason.description, reason);
	}
}
