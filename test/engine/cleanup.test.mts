import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TOOL_NODE, type ExecuteOptions } from '../helpers/engine/index.mts';
import { removeTemporary, robotsLeft } from '../helpers/fixtures.mts';
import { until } from '../helpers/until.mts';
import { QUICK } from './cases/index.mts';
import { succeeded, useOperations } from './support/details.mts';
import { warnings } from './support/warnings.mts';

const UNLIMITED = { rateLimitPerMinute: 100_000, rateWindowSeconds: 60 };
const { sandbox, run } = useOperations({ settings: { ...QUICK.settings, ...UNLIMITED, slots: 0 } });

async function scrape(count: number, options: Partial<ExecuteOptions> = {}, more: object = {}) {
	const items = Array.from({ length: count }, (_, index) => ({
		url: `${sandbox.siteUrl}/${index}`,
	}));
	const parameters = { url: '={{ $json.url }}', formats: ['text'], options: { ...more } };
	return await run('web', 'scrape', parameters, { items, ...options });
}

afterEach(async () => await removeTemporary(sandbox));

/** The largest number of simultaneous requests. */
const most = async () => Math.max(...(await sandbox.sent()).map(({ inProgress }) => inProgress));

const refuseLastStart = async (count: number) =>
	await sandbox.respond(402, 'POST /runs$', { skip: count - 1 });

describe('40 one-step items, of which the last is rejected', () => {
	const COUNT = 40;
	beforeEach(async () => await refuseLastStart(COUNT));

	it('do not leave a robot even if requests exceed the rate limit for a while', async () => {
		const running = scrape(COUNT, {}, { onFailure: 'error' });
		await until('the last start', 60_000, async () => (await sandbox.starts()) === COUNT);
		await sandbox.control.settings({ rateLimitPerMinute: 40, rateWindowSeconds: 1 });
		const { error } = await running;
		expect(error).toMatchObject({ httpCode: '402' });
		expect(error?.description).not.toContain('remain');
		await sandbox.control.settings(UNLIMITED);
		expect(await robotsLeft(sandbox)).toEqual([]);
		expect(await most()).toBeLessThanOrEqual(10);
		// Only one request is rejected each second, because the others wait.
		const sent = await sandbox.count(/^DELETE /);
		expect(sent).toBeLessThan(2 * COUNT + 60);
	});

	it('report how many robots are left because the rate limit is exceeded', async () => {
		const headers = { 'retry-after': '3600' };
		await sandbox.respond(429, 'DELETE', { headers, times: 10_000 });
		const { error } = await scrape(COUNT, {}, { onFailure: 'error' });
		expect(error).toMatchObject({ httpCode: '402' });
		await sandbox.control.clearFaults();
		expect(await robotsLeft(sandbox)).toHaveLength(COUNT);
		expect(error?.description).toMatch(
			/Temporary robots remain in Maxun.*rate limit is.*\(40 times\)/s,
		);
		expect(await most()).toBeLessThanOrEqual(10);
	});
});

it.each<[string, number, Partial<ExecuteOptions>, RegExp]>([
	['in the description, but not to a model', 403, { type: TOOL_NODE }, /^(?!.*remain)/],
	['after Retry On Fail', 504, { node: { retryOnFail: true } }, /may have started$/],
])('a robot that cannot be deleted is mentioned %s', async (_, status, options, message) => {
	await sandbox.respond(status, 'POST /runs$');
	await sandbox.respond(403, 'DELETE ^/robots/', { times: 100 });
	const { error } = await scrape(1, options);
	expect(error?.message).toMatch(message);
	expect(error?.description).toMatch(/Temporary robots remain in Maxun/);
});

describe('a canceled execution with Continue On Fail', () => {
	it.each([false, true])(
		'does not create or start anything for its other items (Retry On Fail: %s)',
		async (retryOnFail) => {
			await sandbox.control.fault({ kind: 'delay', milliseconds: 100, times: 10_000 });
			const controller = new AbortController();
			const running = scrape(60, {
				signal: controller.signal,
				node: { onError: 'continueRegularOutput', retryOnFail, waitBetweenTries: 1 },
			});
			const creations = async () => await sandbox.count(/^POST \/robots\/scrape$/);
			await until('some robots', 20_000, async () => (await creations()) >= 15);
			controller.abort();
			const before = await creations();
			await running;
			await sandbox.control.clearFaults();
			await until('the end of cleanup', 20_000, async () => {
				return (await robotsLeft(sandbox)).length === 0;
			});
			// Requests that were being sent at that moment may still arrive.
			expect(await creations()).toBeLessThanOrEqual(before + 10);
			expect(await creations()).toBeLessThan(40);
		},
	);

	it('logs the robots that it could not delete', async () => {
		const logged = warnings();
		const controller = new AbortController();
		await sandbox.respond(403, 'DELETE', { times: 100 });
		const running = scrape(2, { signal: controller.signal });
		await until('two runs', 20_000, async () => (await sandbox.owner.activeRuns()).length === 2);
		controller.abort();
		await running;
		const left = await until('a warning', 20_000, () => logged[0]);
		expect(left).toMatch(/^Temporary robots remain in Maxun.*\(2 times\)$/);
	});
});

it.each([
	['start of the run', 'POST /runs$'],
	['run', 'GET ^/runs/(?!active)'],
])(
	'a 404 right after a creation does not fail the item if Maxun finds the %s a moment later',
	async (_, request) => {
		await sandbox.control.settings({ slots: 5 });
		await sandbox.respond(404, request, { times: 2 });
		const items = [{ url: `${sandbox.siteUrl}/products` }];
		expect(succeeded(await scrape(1, { items })).json).toHaveLength(1);
		expect(await robotsLeft(sandbox)).toEqual([]);
	},
);
