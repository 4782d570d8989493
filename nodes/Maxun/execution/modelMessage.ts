import { sentences } from '../http/text';
import { ZodError } from 'zod';
import { MaxunFault } from '../http/fault';
import type { NodeFailure } from '../http/nodeError';

/** The model can call tools, but it can't open the node or the credential. */
export function messageForModel(error: unknown, failure: NodeFailure): string {
	if (error instanceof ZodError) return sentences(failure.message, CORRECT_VALUE);
	if (!(error instanceof MaxunFault)) return sentences(failure.message, failure.description);
	const advice = helpFor(error);
	return advice === undefined
		? sentences(error.message, error.description)
		: sentences(error.message, error.reason && `Maxun says: ${error.reason}`, advice);
}

const CORRECT_VALUE = 'Call the tool again with a correct value';

const USED_UP =
	'Tell the user that the credits or the limits of the Maxun plan are used up, and do not call the tool again';

const HELP: Record<number, string | undefined> = {
	400: 'Change the value that Maxun mentions, and call the tool again',
	401: 'Tell the user to check the API key, and do not call the tool again',
	403: 'Tell the user that the API key does not allow this, and do not call the tool again',
	404: 'Use a tool that lists IDs, then call this tool again with one of them',
	409: 'Use another name or ID, and call the tool again',
	422: 'Change the value that Maxun mentions, and call the tool again',
	429: 'Wait a minute before you call the tool again',
};

function helpFor(fault: MaxunFault): string | undefined {
	if (fault.forModel) return fault.forModel;
	if (fault.mayHaveHappened) return 'Before you retry the call, check whether it succeeded';
	if (fault.missingRoute) return undefined;
	if (fault.failure?.cause === 'quota-exhausted') return USED_UP;
	return HELP[fault.status ?? 0] ?? (fault.temporary ? 'Call the tool again later' : undefined);
}
