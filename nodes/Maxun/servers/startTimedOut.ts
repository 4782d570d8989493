import { MaxunFault } from '../http/fault';

/** The time was up before there was a run to wait for. */
export class StartTimedOut extends MaxunFault {
	/** @param runStatus what is known of the requested run */
	constructor(
		readonly robotId: string,
		readonly runStatus: 'not started' | 'unknown',
		{ message, description, ...details }: MaxunFault,
	) {
		super(message, description, details);
	}
}
