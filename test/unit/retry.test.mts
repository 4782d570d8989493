import { describe, expect, test } from 'vitest';
import { DEFAULT_PATIENCE, retryDelay, type Refusal } from '../../nodes/Maxun/core/retry';

const refusal = (changes: Partial<Refusal>): Refusal => ({
	passing: false,
	neverSent: false,
	rateLimited: false,
	...changes,
});
const delayOf = (
	changes: Partial<Refusal>,
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' = 'GET',
	progress = { repeated: 0, waited: 0 },
	patience = DEFAULT_PATIENCE,
) => retryDelay(refusal(changes), { method, ...progress }, patience);

describe('what is sent again', () => {
	test.each(['GET', 'PUT', 'DELETE'] as const)('%s after a passing fault', (method) => {
		expect(delayOf({ passing: true }, method)).toBe(1000);
	});

	test.each(['POST', 'PATCH'] as const)(
		'%s only where the service has surely not taken it',
		(method) => {
			expect(delayOf({ passing: true }, method)).toBeUndefined();
			expect(delayOf({ passing: true, neverSent: true }, method)).toBe(1000);
			expect(delayOf({ rateLimited: true }, method)).toBe(1000);
		},
	);

	test('nothing that will be refused again', () => {
		expect(delayOf({})).toBeUndefined();
		expect(delayOf({ neverSent: true })).toBeUndefined();
	});
});

describe('how long it waits', () => {
	test('twice as long each time, up to half a minute', () => {
		const patience = { maxRetries: 20, maxWait: Infinity };
		const delays = [0, 1, 2, 3, 4, 5, 6].map((repeated) =>
			delayOf({ passing: true }, 'GET', { repeated, waited: 0 }, patience),
		);
		expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
	});

	test('as long as the service asks for', () => {
		expect(delayOf({ rateLimited: true, retryAfter: 17_000 })).toBe(17_000);
		expect(delayOf({ passing: true, retryAfter: 0 })).toBe(0);
	});
});

describe('when it gives up', () => {
	const patience = { maxRetries: 2, maxWait: 10_000 };

	test('after so many repeats; a rate limit does not count as one', () => {
		const progress = { repeated: 2, waited: 0 };
		expect(delayOf({ passing: true }, 'GET', progress, patience)).toBeUndefined();
		expect(delayOf({ rateLimited: true, retryAfter: 2000 }, 'GET', progress, patience)).toBe(2000);
	});

	test('when it would have to wait too long', () => {
		const progress = { repeated: 0, waited: 8_500 };
		expect(delayOf({ rateLimited: true, retryAfter: 1400 }, 'GET', progress, patience)).toBe(1400);
		expect(delayOf({ rateLimited: true, retryAfter: 1600 }, 'GET', progress, patience)).toBe(
			undefined,
		);
	});

	test('never asks again at once, and waits longer and longer where the service names no time', () => {
		const delay = (waited: number, retryAfter?: number) =>
			delayOf(
				{ rateLimited: true, retryAfter },
				'GET',
				{ repeated: 0, waited },
				{
					maxRetries: 2,
					maxWait: 300_000,
				},
			);
		expect(delay(0, 0)).toBe(1000);
		expect([0, 1000, 2000, 4000, 60_000].map((waited) => delay(waited))).toEqual([
			1000, 1000, 2000, 4000, 30_000,
		]);
	});
});
