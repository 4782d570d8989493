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

/** The run has not started by the time that the caller set, but may start later. */
export class StartPostponed extends StartTimedOut {}
