import type { IN8nHttpFullResponse } from 'n8n-workflow';
import { causeOf } from './exchange';
import { leadsInside } from './reachability';
import { bytesOf, retryAfter } from './response';
import { faultOfDownload } from './responseFaults';

const MOST_MEGABYTES = 50;
const MOST_REDIRECTS = 3;

/** @param send gets a URL without following redirects @throws MaxunFault if that isn't a picture, or is too large */
export async function downloadPicture(
	url: string,
	baseUrl: string,
	send: (url: string) => Promise<IN8nHttpFullResponse>,
): Promise<Buffer> {
	const fail = (reason: string, status?: number) => faultOfDownload(url, reason, status);
	const read = async (target: string) => {
		const { statusCode, headers, body } = await send(target);
		const most = statusCode === 200 ? MOST_MEGABYTES : 0;
		return { statusCode, headers, content: await bytesOf(body, most) };
	};
	for (let [target, redirects] = [url, 0]; ; redirects++) {
		const { statusCode, headers, content } = await read(target).catch((error: unknown) => {
			throw fail(causeOf(error).words);
		});
		if (statusCode === 200) {
			if (!content) throw fail(`the file is larger than ${MOST_MEGABYTES} MB`);
			if (isPicture(content)) return content;
			throw fail('this is not a picture');
		}
		const { location } = headers;
		if (statusCode < 300 || statusCode > 399 || !location || redirects === MOST_REDIRECTS) {
			throw fail(`status ${statusCode}`, statusCode).with({ retryAfter: retryAfter(headers) });
		}
		target = URL.canParse(String(location), target) ? new URL(String(location), target).href : '';
		if (!/^https?:/.test(target)) throw fail('it redirects to something that is not a URL');
		if (leadsInside(target, [url, baseUrl])) throw fail('it redirects to a private address');
	}
}

/** How files of the formats that browsers and n8n show begin. */
const BEGINNINGS = [/^\x89PNG\r\n/, /^\xff\xd8\xff/, /^GIF8/, /^RIFF[^]{4}WEBP/];

export function isPicture(content: Buffer): boolean {
	const beginning = content.toString('latin1', 0, 12);
	return BEGINNINGS.some((form) => form.test(beginning));
}
