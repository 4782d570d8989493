import { expect, it } from 'vitest';
import { readTestOutcome } from '../../nodes/Maxun/servers/testOutcome';

it.each([
	[{ delivered: true, statusCode: 202 }, 202, true],
	[{ delivered: false, statusCode: 404, error: null }, 404, false],
	[{ delivered: false, statusCode: null, error: 'connect ECONNREFUSED' }, undefined, false],
	[{ success: true }, undefined, true],
	[{ error: 'getaddrinfo ENOTFOUND n8n.example.com' }, undefined, false],
	[{ error: 'something else' }, undefined, undefined],
	['sent', undefined, undefined],
	[null, undefined, undefined],
])("a sample event's outcome is read from the response %j", (response, status, isAccepted) => {
	expect(readTestOutcome(response)).toMatchObject({ detail: expect.any(String) });
	expect(readTestOutcome(response).status).toBe(status);
	expect(readTestOutcome(response).isAccepted).toBe(isAccepted);
});
