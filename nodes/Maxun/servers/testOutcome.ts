import { isObject, isText } from '../http/values';

export interface TestOutcome {
	status?: number;
	isAccepted?: boolean;
	detail: string;
}

const ACCEPTED = ['delivered', 'accepted', 'success', 'ok'];
const STATUS = ['statusCode', 'status', 'responseStatus', 'httpStatus'];

const NETWORK =
	/ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|getaddrinfo|refused|unreachable|not (be )?reach|time(d )?[ -]?out|no answer|certificate/i;

export function readTestOutcome(response: unknown): TestOutcome {
	const fields = isObject(response) ? response : {};
	const status = STATUS.map((name) => fields[name]).find((value) => typeof value === 'number');
	const detail = [fields.error, fields.message].find(isText) ?? '';
	const isAccepted = ACCEPTED.map((name) => fields[name]).find(
		(value) => typeof value === 'boolean',
	);
	return { status, isAccepted: isAccepted ?? (NETWORK.test(detail) ? false : undefined), detail };
}
