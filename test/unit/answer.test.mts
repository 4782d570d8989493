import { describe, expect, test } from 'vitest';
import {
	isForeign,
	payloadOf,
	retryAfter,
	saysFailure,
	wordsOf,
} from '../../nodes/Maxun/api/answer';
import { definedFields, path } from '../../nodes/Maxun/api/request';

describe('the payload of an answer', () => {
	test.each<[unknown, unknown]>([
		[{ success: true, data: { id: '1' } }, { id: '1' }],
		[{ success: true, data: [] }, []],
		[{ success: true, data: null }, null],
		[
			{ success: true, id: '1', status: 'running' },
			{ id: '1', status: 'running' },
		],
		['', null],
		[undefined, null],
		[[1], [1]],
	])('%j is %j', (body, payload) => expect(payloadOf(body)).toEqual(payload));
});

test('a body says failure by its own field alone', () => {
	expect(saysFailure({ success: false })).toBe(true);
	expect(saysFailure({ success: true })).toBe(false);
	expect(saysFailure({ data: { success: false } })).toBe(false);
	expect(saysFailure('false')).toBe(false);
});

test('text is foreign, an empty body is not', () => {
	expect(isForeign('<html>')).toBe(true);
	expect(isForeign('{"cut')).toBe(true);
	expect(isForeign(' ')).toBe(false);
	expect(isForeign({})).toBe(false);
});

describe("the service's own words", () => {
	test.each<[unknown, string]>([
		[{ success: false, error: 'Robot not found' }, 'Robot not found'],
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
	])('%j', (body, words) => expect(wordsOf(body)).toBe(words));

	test('are cut where they are long', () => {
		expect(wordsOf({ error: 'x'.repeat(10_000) }).length).toBeLessThanOrEqual(500);
	});
});

describe('Retry-After', () => {
	const now = Date.UTC(2026, 0, 1);

	test.each<[unknown, number | undefined]>([
		['3', 3000],
		[3, 3000],
		['0', 0],
		['-5', 0],
		[new Date(now + 5000).toUTCString(), 5000],
		[new Date(now - 5000).toUTCString(), 0],
		['soon', undefined],
		[undefined, undefined],
	])('%s is %s', (value, wait) => {
		const headers = value === undefined ? {} : { 'retry-after': String(value) };
		expect(retryAfter(headers, now)).toBe(wait);
	});

	test('that is empty asks for nothing', () => {
		expect(retryAfter({ 'retry-after': '' }, now) ?? 0).toBe(0);
	});
});

describe('a path', () => {
	test('holds ids encoded', () => {
		expect(path`/robots/${'a/b?c#d e%2F'}/runs`).toBe('/robots/a%2Fb%3Fc%23d%20e%252F/runs');
	});

	test.each(['', '.', '..', '...'])("refuses the id '%s'", (id) => {
		expect(() => path`/robots/${id}`).toThrow();
	});
});

test('only what was set is sent; false and 0 are set', () => {
	const fields = { a: '', b: undefined, c: [], d: false, e: 0, f: null, g: 'x', h: {} };
	expect(definedFields(fields)).toEqual({ d: false, e: 0, f: null, g: 'x', h: {} });
});
