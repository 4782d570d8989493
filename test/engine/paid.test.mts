import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { execute, executeAsTool, type ExecuteOptions } from '../helpers/engine/index.mts';
import { newProductRobot, productUrl, robotsLeft } from '../helpers/fixtures.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { until } from '../helpers/until.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

// What an execution costs, what it returns, and what remains in Maxun.

const sandbox = useSandbox({ settings: { rateLimitPerMinute: 1_000_000 } });

let robotId = '';
beforeEach(async () => {
	await sandbox.control.settings({ slots: 5, runSeconds: 0.05, agentBuildSeconds: 0.05 });
	robotId = await newProductRobot(sandbox);
	await sandbox.control.clear();
});
afterEach(async () => {
	await sandbox.control.clearFaults();
	await sandbox.control.abortRuns(await sandbox.owner.activeRuns());
	for (const id of await robotsLeft(sandbox)) await sandbox.owner.delete(`/robots/${id}`);
});

const page = (index: number) => `${productUrl(sandbox, (index % 8) + 1)}?page=${index + 1}`;
const pages = (count: number) => Array.from({ length: count }, (_, index) => page(index));

interface Balance {
	paid: number;
	/** Rows of the pages. */
	rows: number;
	/** Temporary robots in Maxun. */
	robots: number;
	/** Active runs in Maxun. */
	active: number;
}

const balance = async (items: IDataObject[]): Promise<Balance> => ({
	paid: (await sandbox.control.lines()).filter((line) => STARTED.test(line)).length - refused,
	rows: items.filter((json) => !('error' in json)).length,
	robots: (await robotsLeft(sandbox)).length,
	active: (await sandbox.owner.activeRuns()).length,
});

const STARTED = /^POST \/robots\/[^/]+\/runs$/;
/** Starts that Maxun has rejected. */
let refused = 0;
beforeEach(() => void (refused = 0));

async function run(
	[resource, operation]: [string, string],
	parameters: INodeParameters,
	options: Partial<ExecuteOptions> = {},
) {
	const { items, error, hints } = await execute({
		parameters: maxun(resource, operation, parameters),
		credentials: sandbox.credentials(),
		...options,
	});
	const json = (items[0] ?? []).map((item): IDataObject => item.json);
	return {
		items: items[0] ?? [],
		json,
		error,
		hints: hints.map(({ message }) => message),
		...(await balance(json)),
	};
}

/** Rejects starts because there are no credits. @param paid how many starts succeed first */
async function creditsFor(paid: number): Promise<void> {
	const body = { success: false, error: 'Insufficient credits' };
	const refusal = { kind: 'status', status: 402, method: 'POST', path: '/runs$', body } as const;
	await sandbox.control.fault({ ...refusal, skip: paid, times: 100 });
	refused = 1;
}

const onUrls = (urls: string[], options: INodeParameters = {}): INodeParameters => ({
	robotId: locator(robotId),
	urls: urls.join('\n'),
	options,
});

describe('a missing page, the fifth of nine', () => {
	const missing = () => `${sandbox.siteUrl}/missing`;
	const urls = () => pages(9).map((url, index) => (index === 4 ? missing() : url));
	const named = /^1 of 9 pages failed: \S+\/missing \(/;

	it('costs only its own rows: Run on Many URLs', async () => {
		const { error, hints, ...result } = await run(['run', 'runOnUrls'], onUrls(urls()));
		expect(error).toBeUndefined();
		expect(result).toMatchObject({ paid: 9, rows: 8, robots: 0, active: 0 });
		expect(hints).toEqual([expect.stringMatching(named)]);
	});

	it('costs only its own rows: Scrape Page', async () => {
		const { error, hints, ...result } = await run(
			['web', 'scrape'],
			{ url: '={{ $json.url }}', formats: ['text'] },
			{ items: urls().map((url) => ({ url })) },
		);
		expect(error).toBeUndefined();
		expect(result).toMatchObject({ paid: 9, rows: 8, robots: 0, active: 0 });
		expect(hints).toEqual([expect.stringMatching(named)]);
	});
});

describe('credits that run out at the fourth of five pages', () => {
	beforeEach(async () => await creditsFor(3));
	const ONE_BY_ONE = { generalOptions: { concurrency: 1 } };
	const notStarted = /^2 of 5 pages failed: .*page=4 \(.*page=5 \(Not started: /;

	it('do not discard pages that have started: Run on Many URLs', async () => {
		const { error, hints, ...result } = await run(['run', 'runOnUrls'], {
			...onUrls(pages(5)),
			...ONE_BY_ONE,
		});
		expect(error).toBeUndefined();
		expect(result).toMatchObject({ paid: 3, rows: 3, robots: 0, active: 0 });
		expect(hints).toEqual([expect.stringMatching(notStarted)]);
	});

	it('do not discard pages that have started: Scrape Page', async () => {
		const { error, hints, ...result } = await run(
			['web', 'scrape'],
			{ url: '={{ $json.url }}', formats: ['text'], ...ONE_BY_ONE },
			{ items: pages(5).map((url) => ({ url })) },
		);
		expect(error).toBeUndefined();
		expect(result).toMatchObject({ paid: 3, rows: 3, robots: 0, active: 0 });
		expect(hints).toEqual([expect.stringMatching(notStarted)]);
	});

	it.each([
		['runAndWait', {}],
		['runAndWait', { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 }],
		['start', {}],
	])('cause an error that lists the started runs: %s %o', async (of, node) => {
		const { error, paid } = await run(
			['run', of],
			{ robotId: locator(robotId), ...ONE_BY_ONE },
			{ items: pages(5).map((url) => ({ url })), node },
		);
		const { list } = await sandbox.owner.get(`/robots/${robotId}/runs`);
		const ids = list.map(({ id }) => String(id));
		expect([paid - ('maxTries' in node ? 1 : 0), ids.length]).toEqual([3, 3]);
		expect(error?.description).toContain('3 other runs have started: ');
		for (const id of ids) expect(error?.description).toContain(id);
		expect(error?.description).toContain('To get their data, use Run: Get');
	});
});

describe('more pages than five browsers can read within one timeout', () => {
	const COUNT = 120;
	beforeEach(async () => await sandbox.control.settings({ slots: 5, runSeconds: 0.4 }));
	/** In minutes. All pages together take 10 seconds. */
	const options = { timeoutMinutes: 0.1 };

	it('all return their rows, and at most 50 robots exist at a time', async () => {
		let most = 0;
		let isOver = false;
		const counting = until('the end', 60_000, async () => {
			most = Math.max(most, (await robotsLeft(sandbox)).length);
			return isOver || undefined;
		});
		const { error, hints, ...result } = await run(
			['run', 'runOnUrls'],
			onUrls(pages(COUNT), options),
		);
		isOver = true;
		await counting;
		expect([error, hints]).toEqual([undefined, []]);
		expect(result).toMatchObject({ paid: COUNT, rows: COUNT, robots: 0, active: 0 });
		expect(most).toBeGreaterThan(20);
		expect(most).toBeLessThanOrEqual(50);
	}, 90_000);

	it('need at most 50 agents at a time, even while Maxun is building them', async () => {
		await sandbox.control.settings({ agentBuildSeconds: 600 });
		const controller = new AbortController();
		const running = run(
			['web', 'extract'],
			{ prompt: 'Get the products', url: '={{ $json.url }}' },
			{ items: pages(60).map((url) => ({ url })), signal: controller.signal },
		);
		await until(
			'50 agents',
			20_000,
			async () => (await robotsLeft(sandbox)).length >= 50 || undefined,
		);
		await new Promise((resolve) => setTimeout(resolve, 2_000));
		expect((await robotsLeft(sandbox)).length).toBe(50);
		controller.abort();
		await running;
		await until(
			'no agents',
			20_000,
			async () => (await robotsLeft(sandbox)).length === 0 || undefined,
		);
	}, 60_000);
});

describe('an execution that is stopped', () => {
	it('leaves no robot and no active run at page 150 of 300', async () => {
		await sandbox.control.settings({ slots: 5, runSeconds: 0.1 });
		await sandbox.control.fault({ kind: 'delay', milliseconds: 30, times: 100_000 });
		const controller = new AbortController();
		const running = run(['run', 'runOnUrls'], onUrls(pages(300)), { signal: controller.signal });
		const started = async () =>
			(await sandbox.control.lines()).filter((line) => STARTED.test(line)).length;
		await until('150 starts', 60_000, async () => (await started()) >= 150 || undefined);
		controller.abort();
		const stopped = Date.now();
		await running;
		const isClean = async () =>
			(await robotsLeft(sandbox)).length === 0 && (await sandbox.owner.activeRuns()).length === 0;
		await until('the end of cleanup', 10_000, async () => (await isClean()) || undefined);
		console.log(`${await started()} pages had started, cleanup took ${Date.now() - stopped} ms`);
		expect(await started()).toBeLessThan(200);
	}, 90_000);
});

describe('a screenshot in each operation with a temporary robot', () => {
	const FORMATS = ['markdown', 'screenshot-fullpage'];

	it.each<[string, [string, string], () => INodeParameters]>([
		['Scrape Page', ['web', 'scrape'], () => ({ url: page(0), formats: FORMATS })],
		[
			'Crawl Site',
			['web', 'crawl'],
			() => ({ url: page(0), crawlConfig: { limit: 1, outputFormats: FORMATS } }),
		],
		[
			'Search Web',
			['web', 'search'],
			() => ({
				query: 'desk',
				searchConfig: { mode: 'scrape', limit: 1, outputFormats: FORMATS },
			}),
		],
		['Run on Many URLs', ['run', 'runOnUrls'], () => onUrls([page(0)], { formats: FORMATS })],
	])('is a file of the item: %s', async (_, operation, parameters) => {
		const { items, error, ...result } = await run(operation, parameters());
		expect(error).toBeUndefined();
		expect(result).toMatchObject({ paid: 1, robots: 0, active: 0 });
		expect(Object.keys(items[0]?.binary ?? {})).toEqual(['screenshot']);
	});
});

describe('ten calls by an MCP client that take longer than its limit', () => {
	const MCP = '@n8n/n8n-nodes-langchain.mcpTrigger';
	const call = async (operation: [string, string], parameters: INodeParameters) => {
		const items = await executeAsTool(
			{ parameters: maxun(...operation, parameters), credentials: sandbox.credentials() },
			{},
			MCP,
		);
		return items.map(({ json }) => json);
	};

	it('return the run, and Run: Get returns its data once before the robot is deleted', async () => {
		await sandbox.control.settings({ slots: 20, runSeconds: 600 });
		const scrape = async (url: string) =>
			await call(['web', 'scrape'], { url, formats: ['text'], options: { returnAfter: 2 } });
		const early = (await Promise.all(pages(10).map(scrape))).flat();
		expect(await balance([])).toMatchObject({ paid: 10, robots: 10, active: 10 });
		for (const id of await sandbox.owner.activeRuns()) await sandbox.control.finishRun(id);
		const read = async ({ runId }: IDataObject) =>
			await call(['run', 'get'], { runId: locator(String(runId)), output: 'rows' });
		const rows = (await Promise.all(early.map(read))).flat();
		expect(rows.map(({ text }) => typeof text)).toEqual(rows.map(() => 'string'));
		expect(await balance(rows)).toEqual({ paid: 10, rows: 10, robots: 0, active: 0 });
	}, 60_000);
});
