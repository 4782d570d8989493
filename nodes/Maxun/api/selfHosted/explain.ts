import { isForeign, type HttpAnswer } from '../answer';
import type { Explanation } from '../explain';
import type { ApiRequest } from '../request';

const KEY_REMEDY =
	'Open the credential and paste the API key shown in the dashboard of your server under API Key';

/** What earlier servers lack, by the end of its path. */
const LATER_PARTS: Array<[RegExp, string]> = [
	[/\/schedule$/, 'schedules'],
	[/\/duplicate$/, 'the duplication of robots'],
	[/^\/sdk\//, 'this part of the API'],
];

/** Whether the server has no such route at all: it then answers with a page, not with the API's own words. */
export const isMissingRoute = ({ status, body }: HttpAnswer) => status === 404 && isForeign(body);

function explainMissingRoute({ path }: ApiRequest): Explanation {
	const part = LATER_PARTS.find(([pattern]) => pattern.test(path));
	if (part) {
		return {
			message: `This server's version does not have ${part[1]}`,
			description: 'Update your Maxun server to use it from n8n; the dashboard may offer it',
		};
	}
	return {
		message: 'There is no Maxun API at this address',
		description:
			'Check the Base URL of the credential: it is the address of the Maxun backend, such as http://localhost:8080, not that of the dashboard',
	};
}

/** What differs from the cloud in the reasons of a refusal; undefined where nothing does. */
export function explain(
	answer: HttpAnswer,
	request: ApiRequest,
	words: string,
): Explanation | undefined {
	const { status } = answer;
	// A wrong key is a 403 or, as documented, a 401 as well.
	if (status === 401 && /\bmissing\b/i.test(words)) {
		return { message: 'Your server received no API key', description: KEY_REMEDY };
	}
	if (status === 401 || status === 403) {
		return { message: 'Your server does not accept the API key', description: KEY_REMEDY };
	}
	if (isMissingRoute(answer)) return explainMissingRoute(request);
	if (status === 503) {
		return {
			message: 'Your server cannot answer just now',
			description: 'Its database may be down. Look at the log of the server, then try again',
		};
	}
	if (status >= 500) {
		return {
			message: `Your server could not do this (status ${status})`,
			description: 'The log of the server tells more',
		};
	}
	return undefined;
}
