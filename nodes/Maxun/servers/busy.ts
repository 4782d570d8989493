import type { MaxunFault } from '../http/fault';

/** The result of a start for which no browser is free. It has started nothing. When another run ends, it may succeed. */
export class Busy {
	/** Whether other runs can't start now either. */
	readonly stopsOthers: boolean = true;

	/** @param reason what the server said; the error of an item whose time is up */
	constructor(readonly reason: MaxunFault) {}
}
