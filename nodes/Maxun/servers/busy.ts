import type { MaxunFault } from '../http/fault';

/** The result of a start for which no browser is free. It has started nothing. When another run ends, it may succeed. */
export class Busy {
	/** @param reason what the server said; the error of an item whose time is up */
	constructor(readonly reason: MaxunFault) {}
}
