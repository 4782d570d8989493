import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { execute } from '../helpers/engine/index.mts';
import { maxun } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox();
const MANY = 2500;
const UNLIMITED = { rateLimitPerMinute: 100_000, rateWindowSeconds: 60 };
afterEach(async () => await sandbox.control.settings(UNLIMITED));

/** The IDs of all robots of a type. */
async function allOf(type: string): Promise<string[]> {
	const { items, error } = await execute({
		parameters: maxun('robot', 'getAll', { returnAll: true, filters: { type } }),
		credentials: sandbox.credentials(),
	});
	expect(error).toBeUndefined();
	return items[0]?.map(({ json }) => String(json.id)) ?? [];
}

it(`all of ${MANY} robots are returned once, even if others are added`, async () => {
	const made = await sandbox.control.bulkRobots(MANY, 'crawl');
	// Things happen between pages.
	await sandbox.control.fault({ kind: 'delay', milliseconds: 40, times: 1000, method: 'GET' });
	const reading = allOf('crawl');
	let added = 0;
	for (let round = 0; round < 5; round++) {
		await sleep(60);
		added += (await sandbox.control.bulkRobots(7, 'crawl')).length;
	}
	const ids = await reading;
	expect(added).toBe(35);
	expect(new Set(ids).size).toBe(ids.length);
	expect(made.filter((id) => !ids.includes(id))).toEqual([]);
});

it('all pages are read under a rate limit, with a wait after each refusal', async () => {
	const made = await sandbox.control.bulkRobots(1500, 'search');
	await sandbox.control.settings({ rateLimitPerMinute: 6, rateWindowSeconds: 1 });
	const warn = vi.spyOn(process, 'emitWarning');
	const ids = await allOf('search');
	expect([...ids].sort()).toEqual([...made].sort());
	const asked = await sandbox.sent();
	// Sixteen pages. All other requests were refused.
	expect(new Set(asked.map(({ query }) => query.offset)).size).toBeGreaterThanOrEqual(16);
	expect(asked.length).toBeLessThan(48);
	expect(warn).not.toHaveBeenCalled();
});
