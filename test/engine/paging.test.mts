import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { afterEach, expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import { execute } from '../helpers/engine/index.mts';
import { maxun } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox();
const MANY = 2500;
const UNLIMITED = { rateLimitPerMinute: 100_000, rateWindowSeconds: 60 };
afterEach(async () => await sandbox.control.settings(UNLIMITED));

async function allOf(resource: string, filters: INodeParameters): Promise<string[]> {
	const { items, error } = await execute({
		parameters: maxun(resource, 'getAll', { returnAll: true, filters }),
		credentials: sandbox.credentials(),
	});
	expect(error).toBeUndefined();
	return items[0]?.map(({ json }) => String(json.id)) ?? [];
}

/** Delays each page, so that things can happen between pages. */
const slowPages = async () =>
	await sandbox.control.fault({ kind: 'delay', milliseconds: 40, times: 1000, method: 'GET' });

it(`all of ${MANY} robots are returned once, even if others are added`, async () => {
	const made = await sandbox.control.bulkRobots(MANY, 'crawl');
	await slowPages();
	const reading = allOf('robot', { type: 'crawl' });
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

it(`all of ${MANY} runs are returned once, even if others are added`, async () => {
	const made = await sandbox.control.runs({ robotId: DEMO.products, count: MANY });
	await slowPages();
	const reading = allOf('run', {});
	for (let round = 0; round < 5; round++) {
		await sleep(60);
		await sandbox.control.runs({ robotId: DEMO.article, count: 7 });
	}
	const ids = await reading;
	expect(new Set(ids).size).toBe(ids.length);
	expect(made.filter((id) => !ids.includes(id))).toEqual([]);
});

it('all pages are read under a rate limit, with a wait after each refusal', async () => {
	const made = await sandbox.control.bulkRobots(1500, 'search');
	await sandbox.control.settings({ rateLimitPerMinute: 6, rateWindowSeconds: 1 });
	const ids = await allOf('robot', { type: 'search' });
	expect([...ids].sort()).toEqual([...made].sort());
	const asked = await sandbox.sent();
	// Sixteen pages. All other requests were refused.
	expect(new Set(asked.map(({ query }) => query.offset)).size).toBeGreaterThanOrEqual(16);
	expect(asked.length).toBeLessThan(48);
});
