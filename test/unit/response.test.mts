import { describe, expect, it } from 'vitest';
import { cleanedValue, cleanerOf } from '../../nodes/Maxun/http/redaction';
import {
	bodyOf,
	detailsOf,
	messageOf,
	MOST_JSON,
	retryAfter,
	TOO_LARGE,
} from '../../nodes/Maxun/http/response';
import { faultOfSize } from '../../nodes/Maxun/http/responseFaults';
import { fieldsOf } from '../helpers/client.mts';
import { exchanges } from '../helpers/recordings.mts';

describe("the service's own words", () => {
	it.each<[unknown, string]>([
		[
			{ statusCode: 400, messageCode: 'bad_request', message: 'Wrong', field: 'url' },
			"Wrong (field 'url')",
		],
		[{ error: { message: 'Inside' } }, 'Inside'],
		[{ error: '', message: 'Other' }, 'Other'],
		['<html><h1>Bad   Gateway</h1>\n</html>', 'Bad Gateway'],
		[{}, ''],
		[null, ''],
		[{ error: 5 }, ''],
	])("in %j are '%s'", (body, words) => {
		expect(messageOf(body)).toBe(words);
	});

	const refusals = exchanges.filter(
		({ status, answer }) => status >= 400 && answer instanceof Object,
	);
	it.each(refusals)('are the words in $name, without the colors of a terminal', ({ answer }) => {
		const { message, error } = fieldsOf(answer);
		expect(messageOf(answer)).toContain(message ?? error);
		expect([messageOf(answer), ...detailsOf(answer)].join()).not.toContain('\u001b');
	});

	it('are cut after 500 characters, but not inside a character', () => {
		expect(messageOf({ error: 'x'.repeat(10_000) })).toHaveLength(500);
		expect(messageOf({ error: `${'x'.repeat(499)}😀` })).toBe('x'.repeat(499));
	});

	it.each(['key-0123456789', 'model-0123456789'])(
		'do not contain any part of a key, wherever they are cut (%s)',
		(key) => {
			const error = `${'x'.repeat(480)} ${key}`;
			for (const body of [
				error,
				{ error },
				{ error: 'Wrong', details: [error, { message: error }] },
			]) {
				const clean = cleanerOf([
					['key-0123456789', '[API key]'],
					['model-0123456789', '[API key]'],
				]);
				const cleaned = cleanedValue(body, clean);
				expect(messageOf(cleaned)).not.toContain(key.slice(0, 5));
			}
		},
	);
});

describe('the Retry-After header', () => {
	const now = Date.UTC(2026, 0, 1);

	it.each<[unknown, number | undefined]>([
		['3', 3000],
		[3, 3000],
		['0', 0],
		['', 0],
		['-5', 0],
		[new Date(now + 5000).toUTCString(), 5000],
		[new Date(now - 5000).toUTCString(), 0],
		['soon', undefined],
		['1e9', 3_600_000],
		[undefined, undefined],
	])('with the value %s asks to wait for %s milliseconds', (value, wait) => {
		const headers = value === undefined ? {} : { 'retry-after': String(value) };
		expect(retryAfter(headers, now)).toBe(wait);
	});
});

it('a body that is too large after decompression is not read to its end', async () => {
	let read = 0;
	const part = new Uint8Array(2 ** 20);
	async function* parts() {
		for (; read < 9_999; read++) yield part;
	}
	const body = await bodyOf(parts());
	expect([body, read]).toEqual([TOO_LARGE, MOST_JSON]);
	// Polls end, because the next response would be just as large.
	const fault = faultOfSize({ status: 200, headers: {}, body }, { method: 'GET', path: '/runs/1' });
	expect(fault.temporary).toBe(false);
});
