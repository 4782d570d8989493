import { describe, expect, it } from 'vitest';
import { readTestOutcome } from '../../nodes/Maxun/servers/testOutcome';

describe('the outcome of a sample event', () => {
	it.each([
		[{ delivered: true, statusCode: 200 }, true],
		[{ delivered: false, statusCode: 503, error: null }, true],
		[{ delivered: false, statusCode: null, error: 'connect ECONNREFUSED 127.0.0.1:1' }, false],
		[{ delivered: false, error: 'No answer in 30 s' }, false],
		[{ success: true }, true],
		[{ success: false, message: 'getaddrinfo ENOTFOUND n8n.example.com' }, false],
		[{ delivered: false, error: 'something else' }, undefined],
		[{ delivered: false }, undefined],
		['sent', undefined],
		[null, undefined],
	])('is read from the response %j (reached: %s)', (response, reached) => {
		expect(readTestOutcome(response).reached).toBe(reached);
	});
});
