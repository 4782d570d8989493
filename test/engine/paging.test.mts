import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import { execute } from '../helpers/engine/index.mts';
import { listen } from '../helpers/listen.mts';
import { maxun } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox();
const MANY = 2500;
const UNLIMITED = { rateLimitPerMinute: 100_000, rateWindowSeconds: 60 };
afterEach(async () => await sandbox.control.settings(UNLIMITED));

async function allOf(
	resource: string,
	filters: INodeParameters,
	credentials = sandbox.credentials(),
): Promise<string[]> {
	const { items, error } = await execute({
		parameters: maxun(resource, 'getAll', { returnAll: true, filters }),
		credentials,
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
	const warn = vi.spyOn(process, 'emitWarning');
	const ids = await allOf('robot', { type: 'search' });
	expect([...ids].sort()).toEqual([...made].sort());
	const asked = await sandbox.sent();
	// Sixteen pages. All other requests were refused.
	expect(new Set(asked.map(({ query }) => query.offset)).size).toBeGreaterThanOrEqual(16);
	expect(asked.length).toBeLessThan(48);
	expect(warn).not.toHaveBeenCalled();
});

it('a list does not wait for pages beyond the end', async () => {
	const made = await sandbox.control.bulkRobots(150, 'doc-parse');
	const service = createServer(({ url = '', headers }, response) => {
		if (!/offset=(0|99)\b/.test(url)) return;
		const authorization = String(headers.authorization);
		const answer = fetch(sandbox.url + url, { headers: { authorization } });
		void answer.then(async (page) => response.end(await page.text()));
	});
	const baseUrl = `http://127.0.0.1:${await listen(service)}/api/v1`;
	onTestFinished(() => {
		service.closeAllConnections();
		service.close();
	});
	const ids = await allOf('robot', { type: 'doc-parse' }, sandbox.credentials({ baseUrl }));
	expect([...ids].sort()).toEqual([...made].sort());
});
