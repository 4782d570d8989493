import { isObject } from '../http/values';

/** Whether a sample event reached the URL, according to an undocumented response. */
export interface TestOutcome {
	/** Whether anything responded at the URL; undefined if unclear. */
	reached?: boolean;
	/** The server's own message, or the status it received. */
	detail: string;
}

const ACCEPTED = ['delivered', 'accepted', 'success', 'ok'];
const STATUS = ['statusCode', 'status', 'responseStatus', 'httpStatus'];
const NETWORK =
	/ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|getaddrinfo|refused|unreachable|not (be )?reach|time(d )?[ -]?out|no answer|certificate/i;

/** Reads the response to `webhooks.test`. An HTTP status in it means that the URL responded. */
export function readTestOutcome(response: unknown): TestOutcome {
	const fields = new Map<string, unknown>(isObject(response) ? Object.entries(response) : []);
	const status = STATUS.map((name) => fields.get(name)).find((value) => typeof value === 'number');
	const words = [fields.get('error'), fields.get('message')].find(
		(value) => typeof value === 'string' && value !== '',
	);
	const detail = typeof words === 'string' ? words : status ? `status ${String(status)}` : '';
	const accepted = ACCEPTED.map((name) => fields.get(name)).find(
		(value) => typeof value === 'boolean',
	);
	if (status !== undefined || accepted === true) return { reached: true, detail };
	return NETWORK.test(detail) ? { reached: false, detail } : { detail };
}
