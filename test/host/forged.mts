import { randomUUID } from 'node:crypto';

/** Kinds of deliveries that don't belong to a run. */
type Forgery = [url: string, body: string, type?: string];

/** Stands for a status while n8n is down. */
export const NOBODY = 'none';

/**
 * Posts a forged delivery. The kinds alternate.
 * @param url the trigger's URL, with its secret
 * @param foreign a run of a robot that the trigger doesn't watch
 * @returns the response status, or `NOBODY`
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
