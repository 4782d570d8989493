import { MaxunFault } from '../http/fault';

/** The time was up before the run started. */
export class StartTimedOut extends MaxunFault {
	/** @param runStatus what is known about the requested run */
	constructor(
		readonly robotId: string,
		readonly runStatus: 'not started' | 'unknown',
		{ message, description, ...details }: MaxunFault,
	) {
		super(message, description, details);
	}
}
