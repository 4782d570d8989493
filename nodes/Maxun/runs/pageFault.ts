import { MaxunFault } from '../http/fault';
import { RunFault } from '../results/runFault';

/** The statuses with which Maxun rejects all requests of an account because of its key, credits, role or plan. */
const OF_ACCOUNT = [401, 402, 403];

/** Whether Maxun would reject any other start of the account, too. */
export const concernsAll = (error: unknown): error is MaxunFault =>
	error instanceof MaxunFault && error.isMaxuns && OF_ACCOUNT.includes(error.status ?? 0);

/** The fault of a page that the node doesn't try, because Maxun has rejected another one. */
export const notTried = (fault: MaxunFault): MaxunFault =>
	fault.with({ message: `Not started: ${fault.message}` });

/** The fault for a missing or invalid URL. */
export const invalidUrl = (url: string) =>
	new RunFault(
		url === '' ? "'URLs' must contain at least one value" : `'${url}' is not a valid URL`,
		'Enter URLs that start with http:// or https://, one per line',
		url === '' ? 'no URL' : 'not a valid URL',
	);
