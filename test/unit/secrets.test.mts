import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { connectServer } from '../../nodes/Maxun/servers';
import { faultOf } from '../../nodes/Maxun/http/fault';
import { cleanerOf } from '../../nodes/Maxun/http/redaction';
import { fakeContext } from './fakeServer.mts';

/** A key with characters that each encoding writes differently. */
const KEY = `mx_"live"/k&y+<'é> 0123456789`;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const each = (write: (code: number) => string) =>
	[...KEY].map((character) => write(character.codePointAt(0) ?? 0)).join('');

const FORMS: Record<string, string> = {
	'as it is': KEY,
	'in capital letters': KEY.toUpperCase(),
	JSON: JSON.stringify(KEY).slice(1, -1),
	'JSON in JSON': JSON.stringify(JSON.stringify(KEY)).slice(3, -3),
	'JSON with slashes': JSON.stringify(KEY).slice(1, -1).replaceAll('/', '\\/'),
	'JSON in ASCII': each((code) => `\\u${code.toString(16).padStart(4, '0')}`),
	'a URL': encodeURIComponent(KEY),
	'a URL in lower case': encodeURIComponent(KEY).toLowerCase(),
	'a URL in a URL': encodeURIComponent(encodeURIComponent(KEY)),
	'a form': new URLSearchParams({ k: KEY }).toString().slice(2),
	HTML: KEY.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
	'HTML with numbers': each((code) => `&#${code};`),
	'HTML with hexadecimal numbers': each((code) => `&#x${code.toString(16).toUpperCase()};`),
	Base64: base64(KEY),
	'Base64 after a word': base64(`Bearer ${KEY}`),
	'Base64 between words': base64(`user:${KEY}\n`),
	'Base64 for URLs': Buffer.from(`a:${KEY}`).toString('base64url'),
	'Base64 in a URL': encodeURIComponent(base64(`ab:${KEY}`)),
};

it.each(Object.entries(FORMS))('a secret is always removed: %s', (_form, written) => {
	const text = cleanerOf([[KEY, '[API key]']])(`before ${written} after`);
	expect(text).toMatch(/^before \S*\[API key\]\S* after$/);
	expect(text.length).toBeLessThan(45);
});

it('a short key is removed only as a word', () => {
	const clean = cleanerOf([['key', '[API key]']]);
	expect(clean('key keyboard "key"')).toBe('[API key] keyboard "[API key]"');
});

it('no fault contains the key in a network error', async () => {
	const context = fakeContext(
		'https://maxun.example',
		async () => {
			throw new Error(`Invalid header x-api-key: ${base64(`Bearer ${KEY}`)} ${KEY}`);
		},
		KEY,
	);
	const maxun = (await connectServer(context, 'cloud')).with({ maxRetries: 0 });
	const fault = await faultOf(maxun.robots.get('r1'));
	expect(inspect(fault, { depth: 9, showHidden: true })).not.toContain('0123456');
	expect(fault?.description).toContain('Invalid header x-api-key');
});

it("the reason for a failed run does not contain the language model's key", async () => {
	for (const written of Object.values(FORMS)) {
		const reason = `${'x'.repeat(60_000)}\n[ERROR] Wrong key: ${written}`;
		const run = { runId: 'r', status: 'failed', finishedAt: '1/1/2026, 1:00:00 PM', log: reason };
		const context = fakeContext('http://maxun', async () => ({ body: { run } }), 'other');
		context.getCredentials = async <T,>(): Promise<T> =>
			Object({ baseUrl: 'http://maxun', apiKey: 'other', llmProvider: 'openai', llmApiKey: KEY });
		const maxun = await connectServer(context, 'selfHosted');
		const read = await maxun.runs.get('r', ['r1']);
		expect(read.error).toMatch(/^Wrong key: \S*\[API key\]/);
		expect(JSON.stringify(read)).not.toContain('0123456');
	}
});
