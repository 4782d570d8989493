import type { ApiRequest } from '../../http/request';
import { messageOf, type HttpResponse } from '../../http/response';
import type { Explanation } from '../../http/responseFaults';
import { explainStatus, subjectOf } from '../explain';

const FIX_KEY = 'Open the credential and paste the API key from the Maxun dashboard, under API Key';

function explainForbidden(words: string): Explanation {
	if (/\b(role|viewer|member|admin|permission)/i.test(words)) {
		return {
			message: 'Your role in this Maxun team does not allow this',
			description:
				'Viewers can read. Members can also create, update and run. Only admins can delete. Ask an admin of the team, or use another API key',
			cause: 'configuration-invalid',
		};
	}
	if (/\b(plan|limit|upgrade|quota)/i.test(words)) {
		return {
			message: 'Your Maxun plan does not allow this',
			description: "Delete what you don't need, or upgrade your plan in the Maxun dashboard",
			cause: 'quota-exhausted',
		};
	}
	if (/\bteam/i.test(words)) {
		return {
			message: 'This API key cannot access the team',
			description:
				"Check 'Team ID' in the credential and 'Team' in the options of this node. To list your teams, use Account: Get",
			cause: 'configuration-invalid',
		};
	}
	if (/\bkey\b/i.test(words)) {
		return {
			message: 'Maxun rejected the API key',
			description: FIX_KEY,
			cause: 'credential-invalid',
		};
	}
	return {
		message: 'Maxun does not allow this',
		description: `${FIX_KEY}. If the key is correct, check your role in the team and the limits of your plan`,
	};
}

/** What happened and what to do, for each status of the hosted API. */
export function explain(response: HttpResponse, request: ApiRequest): Explanation {
	const { status } = response;
	if (status === 401) {
		return {
			message: 'Maxun received no API key',
			description: FIX_KEY,
			cause: 'credential-invalid',
		};
	}
	if (status === 402) {
		return {
			message: 'There are not enough Maxun credits',
			description:
				'A run needs at least one credit. To check your credits, use Account: Get Usage. Add credits in the Maxun dashboard',
			cause: 'quota-exhausted',
		};
	}
	if (status === 403) return explainForbidden(messageOf(response.body));
	if (status === 404) {
		return {
			message: `Maxun could not find ${subjectOf(request)}`,
			description:
				"It may have been deleted, or it belongs to another account or team. Select it from the list again, and check 'Team ID'",
			cause: 'configuration-invalid',
		};
	}
	if (status === 429) {
		return {
			message: 'The Maxun rate limit is exceeded',
			description:
				"Reduce 'Max Concurrent Requests' in the options, or process fewer items at a time. To check your limits, use Account: Get Rate Limits",
		};
	}
	return explainStatus(response, request);
}
