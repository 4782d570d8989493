import { describe, expect, it } from 'vitest';
import { DEFAULT_RETRY_LIMITS, retryDelay } from '../../nodes/Maxun/http/retry';

interface Given {
	momentary?: boolean;
	notProcessed?: boolean;
	rateLimited?: boolean;
	retryAfter?: number;
}

const delayOf = (
	{ momentary = false, notProcessed = false, rateLimited = false, retryAfter }: Given,
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' = 'GET',
	progress = { retries: 0, waited: 0 },
	limits = DEFAULT_RETRY_LIMITS,
) =>
	retryDelay(
		{ status: rateLimited ? 429 : undefined, momentary, notProcessed, retryAfter },
		{ method, ...progress },
		limits,
	);

describe('a retry', () => {
	it.each(['GET', 'PUT', 'PATCH', 'DELETE'] as const)(
		'of a %s request follows a momentary fault',
		(method) => {
			expect(delayOf({ momentary: true }, method)).toBe(1000);
		},
	);

	it("of a POST request only happens if the service can't have accepted it", () => {
		expect(delayOf({ momentary: true }, 'POST')).toBeUndefined();
		expect(delayOf({ momentary: true, notProcessed: true }, 'POST')).toBe(1000);
		expect(delayOf({ rateLimited: true }, 'POST')).toBe(1000);
	});

	it('never happens if the fault is lasting', () => {
		expect(delayOf({})).toBeUndefined();
		expect(delayOf({ notProcessed: true })).toBeUndefined();
	});
});

describe('the delay before a retry', () => {
	it('doubles each time, up to half a minute', () => {
		const limits = { maxRetries: 20, maxWait: Infinity };
		const delays = [0, 1, 2, 3, 4, 5, 6].map((retries) =>
			delayOf({ momentary: true }, 'GET', { retries, waited: 0 }, limits),
		);
		expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
	});

	it('is as long as the service asks', () => {
		expect(delayOf({ rateLimited: true, retryAfter: 17_000 })).toBe(17_000);
		expect(delayOf({ momentary: true, retryAfter: 0 })).toBe(0);
	});

	it("is at least a second after a rate limit, and grows if the service doesn't give a time", () => {
		const delay = (waited: number, retryAfter?: number) =>
			delayOf(
				{ rateLimited: true, retryAfter },
				'GET',
				{ retries: 0, waited },
				{ maxRetries: 2, maxWait: 300_000 },
			);
		expect(delay(0, 0)).toBe(1000);
		expect([0, 1000, 2000, 4000, 60_000].map((waited) => delay(waited))).toEqual([
			1000, 1000, 2000, 4000, 30_000,
		]);
	});
});

describe('a request is given up', () => {
	const limits = { maxRetries: 2, maxWait: 10_000 };

	it('after the maximum number of retries, not counting rate limits', () => {
		const progress = { retries: 2, waited: 0 };
		expect(delayOf({ momentary: true }, 'GET', progress, limits)).toBeUndefined();
		expect(delayOf({ rateLimited: true, retryAfter: 2000 }, 'GET', progress, limits)).toBe(2000);
	});

	it('if it would have to wait longer than the limit', () => {
		const progress = { retries: 0, waited: 8_500 };
		expect(delayOf({ rateLimited: true, retryAfter: 1400 }, 'GET', progress, limits)).toBe(1400);
		expect(delayOf({ rateLimited: true, retryAfter: 1600 }, 'GET', progress, limits)).toBe(
			undefined,
		);
	});
});
