import { randomUUID } from 'node:crypto';

/** What kinds of deliveries there are that no end of a run has caused. */
type Forgery = [url: string, body: string, type?: string];

/** Instead of a status: n8n does not run. */
export const NOBODY = 'none';

/**
 * Posts something that no end of a run has caused: the kinds take turns.
 * @param url address of the trigger, with its secret
 * @param foreign a run of a robot that the trigger does not watch
 * @returns the status of the answer, or `NOBODY`
 */
export async function forge(url: string, count: number, foreign: string): Promise<string> {
	const bare = url.split('?')[0] ?? '';
	const kinds: Forgery[] = [
		[bare, claim(foreign)],
		[`${bare}?secret=${randomUUID()}`, claim(foreign)],
		[url, claim(foreign)],
		[url, claim(randomUUID())],
		[url, claim({ $ne: null })],
		[url, '{"event_type": "run_comp'],
		[url, claim(foreign), 'text/plain'],
		[url, claim('x'.repeat(2_000_000))],
		[url, `{"data":${'['.repeat(1000)}${']'.repeat(1000)}}`],
		[url, `<xml>${randomUUID()}</xml>`, 'application/xml'],
	];
	const tooLarge: Forgery = [url, claim('x'.repeat(17 * 1024 * 1024))];
	const [address, body, type = 'application/json'] =
		count % 50 === 49 ? tooLarge : (kinds[count % kinds.length] ?? tooLarge);
	return await fetch(address, { method: 'POST', headers: { 'content-type': type }, body }).then(
		({ status }) => String(status),
		() => NOBODY,
	);
}

const claim = (run_id: unknown) =>
	JSON.stringify({ event_type: 'run_completed', data: { run_id, status: 'success' } });
