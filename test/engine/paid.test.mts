import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newProductRobot, productUrl, removeTemporary, robotsLeft } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { until } from '../helpers/until.mts';
import { useOperations } from './support/details.mts';

// What an execution costs, what it returns, and what remains in Maxun.

const { sandbox, run, succeed } = useOperations({
	settings: { rateLimitPerMinute: 1_000_000, runSeconds: 0.05, agentBuildSeconds: 0.05 },
});

let robotId = '';
beforeEach(async () => {
	robotId = await newProductRobot(sandbox);
	await sandbox.control.clear();
});
afterEach(async () => await removeTemporary(sandbox));

const page = (index: number) => `${productUrl(sandbox, (index % 8) + 1)}?page=${index + 1}`;
const pages = (count: number) => Array.from({ length: count }, (_, index) => page(index));

const STARTED = /^POST \/robots\/[^/]+\/runs$/;
const starts = async () =>
	(await sandbox.control.lines()).filter((line) => STARTED.test(line)).length;

/** What was paid for, the rows of the pages, and the robots and active runs that are left in Maxun. */
const balance = async (items: IDataObject[]) => ({
	paid: await starts(),
	rows: items.filter((json) => !('error' in json)).length,
	robots: (await robotsLeft(sandbox)).length,
	active: (await sandbox.owner.activeRuns()).length,
});

const onUrls = (urls: string[], options: INodeParameters = {}): INodeParameters => ({
	robotId: locator(robotId),
	urls: urls.join('\n'),
	options,
});

const ONE_BY_ONE = { generalOptions: { concurrency: 1 } };

/** Rejects starts because there are no credits. @param paid how many starts succeed first */
async function creditsFor(paid: number): Promise<void> {
	const refusal = { error: 'Insufficient credits', skip: paid, times: 100 };
	await sandbox.respond(402, 'POST /runs$', refusal);
}

it('Scrape Page: if the fifth of nine pages is missing, only its own rows are missing', async () => {
	const missing = `${sandbox.siteUrl}/missing`;
	const urls = pages(9).map((url, index) => (index === 4 ? missing : url));
	const parameters = { url: '={{ $json.url }}', formats: ['text'] };
	const { hints, json } = await succeed('web', 'scrape', parameters, {
		items: urls.map((url) => ({ url })),
	});
	expect(await balance(json)).toEqual({ paid: 9, rows: 8, robots: 0, active: 0 });
	expect(hints).toEqual([expect.stringMatching(/^1 of 9 pages failed: \S+\/missing \(/)]);
});

it.each([
	['runAndWait', {}, 1],
	['runAndWait', { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 }, 2],
	['start', {}, 1],
])(
	'an error for lack of credits lists the started runs: %s %o',
	async (operation, node, refused) => {
		await creditsFor(3);
		const items = pages(5).map((url) => ({ url }));
		const parameters = { robotId: locator(robotId), ...ONE_BY_ONE };
		const { error } = await run('run', operation, parameters, { items, node });
		const { list } = await sandbox.owner.get(`/robots/${robotId}/runs`);
		const ids = list.map(({ id }) => String(id));
		expect([(await starts()) - refused, ids.length]).toEqual([3, 3]);
		expect(error?.description).toContain('3 other runs have started: ');
		for (const id of ids) expect(error?.description).toContain(id);
		expect(error?.description).toContain('To get their data, use Run: Get');
	},
);

describe('more pages than five browsers can read within one timeout', () => {
	const COUNT = 120;
	beforeEach(async () => await sandbox.control.settings({ runSeconds: 0.4 }));
	/** In minutes. All pages together take 10 seconds. */
	const options = { timeoutMinutes: 0.1 };

	it('all return their rows, and at most 50 robots exist at a time', async () => {
		let most = 0;
		let isOver = false;
		const counting = until('the end', 60_000, async () => {
			most = Math.max(most, (await robotsLeft(sandbox)).length);
			return isOver;
		});
		const { error, hints, json } = await run('run', 'runOnUrls', onUrls(pages(COUNT), options));
		isOver = true;
		await counting;
		expect([error, hints]).toEqual([undefined, []]);
		expect(await balance(json)).toEqual({ paid: COUNT, rows: COUNT, robots: 0, active: 0 });
		expect(most).toBeGreaterThan(20);
		expect(most).toBeLessThanOrEqual(50);
	});

	it('need at most 50 agents at a time, even while Maxun is building them', async () => {
		await sandbox.control.settings({ agentBuildSeconds: 600 });
		const controller = new AbortController();
		const running = run(
			'web',
			'extract',
			{ prompt: 'Get the products', url: '={{ $json.url }}' },
			{ items: pages(60).map((url) => ({ url })), signal: controller.signal },
		);
		await until('50 agents', 20_000, async () => (await robotsLeft(sandbox)).length >= 50);
		await new Promise((resolve) => setTimeout(resolve, 2_000));
		expect((await robotsLeft(sandbox)).length).toBe(50);
		controller.abort();
		await running;
		await until('no agents', 20_000, async () => (await robotsLeft(sandbox)).length === 0);
	});
});

it('an execution that is stopped at page 150 of 300 does not leave a robot or an active run', async () => {
	await sandbox.control.settings({ runSeconds: 0.1 });
	await sandbox.control.fault({ kind: 'delay', milliseconds: 30, times: 100_000 });
	const controller = new AbortController();
	const running = run('run', 'runOnUrls', onUrls(pages(300)), { signal: controller.signal });
	await until('150 starts', 60_000, async () => (await starts()) >= 150);
	controller.abort();
	const stopped = Date.now();
	await running;
	const isClean = async () =>
		(await robotsLeft(sandbox)).length === 0 && (await sandbox.owner.activeRuns()).length === 0;
	await until('the end of cleanup', 10_000, isClean);
	console.log(`${await starts()} pages had started, cleanup took ${Date.now() - stopped} ms`);
	expect(await starts()).toBeLessThan(200);
});

const FORMATS = ['markdown', 'screenshot-fullpage'];

it.each<[string, string, () => INodeParameters]>([
	['web', 'scrape', () => ({ url: page(0), formats: FORMATS })],
	['web', 'crawl', () => ({ url: page(0), crawlConfig: { limit: 1, outputFormats: FORMATS } })],
	[
		'web',
		'search',
		() => ({ query: 'desk', searchConfig: { mode: 'scrape', limit: 1, outputFormats: FORMATS } }),
	],
	['run', 'runOnUrls', () => onUrls([page(0)], { formats: FORMATS })],
])(
	'a screenshot in an operation with a temporary robot is a file of the item: %s: %s',
	async (resource, operation, parameters) => {
		const { rows, json } = await succeed(resource, operation, parameters());
		expect(await balance(json)).toMatchObject({ paid: 1, robots: 0, active: 0 });
		expect(Object.keys(rows[0]?.binary ?? {})).toEqual(['screenshot']);
	},
);
