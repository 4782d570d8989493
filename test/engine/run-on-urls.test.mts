import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterEach, describe, expect, it } from 'vitest';
import type { ProcessedData } from '../helpers/engine/deduplication.mts';
import type { ExecuteOptions } from '../helpers/engine/index.mts';
import { moveDate } from '../helpers/engine/time.mts';
import { newProductRobot, productUrl, robotsLeft } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { succeeded, useOperations } from './support/details.mts';
import { pairedIndex } from './support/operations.mts';

const { sandbox, ...operations } = useOperations({ settings: { slots: 2 } });

const page = (id: number) => productUrl(sandbox, id);
const missing = () => `${sandbox.siteUrl}/missing`;

/** Runs a robot that captures a product's name. */
async function run(
	parameters: INodeParameters,
	{ robotId, ...options }: Partial<ExecuteOptions> & { robotId?: string } = {},
) {
	const given = { robotId: locator(robotId ?? (await newProductRobot(sandbox))), ...parameters };
	return await operations.run('run', 'runOnUrls', given, options);
}

const urlsOf = (json: IDataObject[]) => json.map(({ pageUrl }) => pageUrl);

const copiesLeft = async () => await robotsLeft(sandbox);
afterEach(async () => expect(await copiesLeft()).toEqual([]));

const duplicates = async () => await sandbox.count(/^POST \/robots\/[^/]+\/duplicate$/);

describe('the pages', () => {
	const refuseCopies = async (which: { skip?: number; times: number }) => {
		const error = 'Your plan allows no more robots';
		await sandbox.respond(403, 'POST /duplicate$', { error, ...which });
	};

	it('a list of URLs returns the rows of all pages in its order, with their URLs', async () => {
		const urls = [4, 2, 6, 1, 5, 3].map(page);
		const { rows, json } = succeeded(await run({ urls: urls.join('\n') }));
		expect(urlsOf(json)).toEqual(urls);
		expect(new Set(json.map(({ Name }) => Name)).size).toBe(6);
		expect(new Set(rows.map(pairedIndex))).toEqual(new Set([0]));
		expect(await sandbox.starts()).toBe(6);
	});

	it('each page has its own copy, and Max Concurrent Runs limits how many run at the same time', async () => {
		await sandbox.control.settings({ slots: 5, runSeconds: 1 });
		succeeded(await run({ urls: [1, 2, 3, 4, 5, 6].map(page), options: { maxQueued: 2 } }));
		expect(await duplicates()).toBe(6);
		expect(await sandbox.count(/^DELETE /)).toBe(6);
		const made = (await sandbox.sent()).filter(({ method, path }) =>
			/^POST .*duplicate$|^DELETE /.test(`${method} ${path}`),
		);
		let copies = 0;
		for (const { method } of made) {
			copies += method === 'POST' ? 1 : -1;
			expect(copies).toBeLessThanOrEqual(2);
		}
	});

	it('documents and items refer to the robot, not to its copy', async () => {
		const robotId = await newProductRobot(sandbox);
		const simplified = await run({ urls: page(1), output: 'simplified' }, { robotId });
		expect(simplified.json.map((json) => json.robotId)).toEqual([robotId]);
		const documents = async () => {
			const { json } = await run({ urls: [1, 2].map(page), output: 'documents' }, { robotId });
			return json.map(({ metadata }) => Object(metadata).id);
		};
		const ids = await documents();
		expect(ids).toHaveLength(2);
		expect(await documents()).toEqual(ids);
	});

	it("a row's own column is kept if it has the same name as the URL field", async () => {
		const robotId = await newProductRobot(sandbox, { pageUrl: 'h1' });
		const { json } = await run({ urls: page(1) }, { robotId });
		expect(json).toEqual([{ pageUrl: expect.not.stringContaining('http') }]);
	});

	it('if the plan does not allow more copies, the pages wait for each other', async () => {
		await sandbox.control.settings({ slots: 5 });
		await refuseCopies({ skip: 2, times: 2 });
		const { json } = succeeded(await run({ urls: [1, 2, 3, 4, 5, 6].map(page) }));
		expect(urlsOf(json)).toEqual([1, 2, 3, 4, 5, 6].map(page));
	});

	it('if the plan does not allow any copies, the error says why', async () => {
		await refuseCopies({ times: 9 });
		const { error } = await run({ urls: [1, 2].map(page) });
		expect(error?.description).toContain('Your plan allows no more robots');
	});
});

describe('an invalid URL', () => {
	const WRONG = 'http://exa%mple';
	const urls = () => [page(1), WRONG, page(2)].join('\n');

	it('fails the node before the first request with Stop at the First Failure', async () => {
		const { error } = await run({ urls: urls(), options: { onFailure: 'error' } });
		expect(error?.message).toBe(`'${WRONG}' is not a valid URL`);
		expect(error?.description).toContain('one per line');
		expect(await sandbox.sent()).toEqual([]);
	});

	it('is left out like an empty cell, and a hint mentions both', async () => {
		const items = [urls(), '', null, 'example'].map((cell) => ({ cell }));
		const { json, hints } = succeeded(await run({ urls: '={{ $json.cell }}' }, { items }));
		expect(urlsOf(json)).toEqual([1, 2].map(page));
		expect(hints).toEqual([
			`4 of 6 pages failed: ${WRONG} (not a valid URL), item 1 (no URL), item 2 (no URL), example (not a valid URL)`,
		]);
	});
});

describe('a page that is several times in the input has one run', () => {
	const spelled = () => [page(1), `${page(1)}#reviews`, `${page(1)}/`];
	const given = { urls: '={{ $json.urls }}', options: { includeOtherFields: 'all' } };

	it('and its rows are returned for each item, with the fields of the item', async () => {
		const urls = [page(2), ...spelled()];
		const items = urls.map((url, sku) => ({ urls: url, sku }));
		const generalOptions = { runLimit: 2 };
		const { rows, json, hints } = succeeded(await run({ ...given, generalOptions }, { items }));
		expect(urlsOf(json)).toEqual(urls);
		expect(json.map(({ sku }) => sku)).toEqual([0, 1, 2, 3]);
		expect(rows.map(pairedIndex)).toEqual([0, 1, 2, 3]);
		expect(new Set(json.map(({ Name }) => Name)).size).toBe(2);
		expect(hints).toEqual([]);
		expect(await sandbox.starts()).toBe(2);
	});

	it('even if it fails', async () => {
		const items = [missing(), `${missing()}/`, ...spelled()].map((url) => ({ urls: url }));
		const options = { ...given.options, onFailure: 'return' };
		const { json } = succeeded(await run({ ...given, options }, { items }));
		expect(urlsOf(json)).toEqual(items.map(({ urls }) => urls));
		const failed = json.map(({ error }) => typeof error === 'string');
		expect(failed).toEqual([true, true, false, false, false]);
		expect(await sandbox.starts()).toBe(2);
	});

	it('which fails its checks for each item', async () => {
		const options = { ...given.options, dataChecks: { minRows: 2 } };
		const items = spelled().map((url, sku) => ({ urls: url, sku }));
		const node = { onError: 'continueErrorOutput' } as const;
		const { failed } = await run({ ...given, options }, { items, node });
		const rowsIn = (json: IDataObject): IDataObject[] => Object(json.message).rows;
		expect(failed.map(({ json }) => rowsIn(json).map(({ sku }) => sku))).toEqual([[0], [1], [2]]);
		expect(await sandbox.starts()).toBe(1);
		for (const copy of await copiesLeft()) await sandbox.owner.delete(`/robots/${copy}`);
	});

	it('unless the settings differ', async () => {
		const items = ['rows', 'raw'].map((output) => ({ urls: page(1), output }));
		await run({ ...given, output: '={{ $json.output }}' }, { items });
		expect(await sandbox.starts()).toBe(2);
	});
});

describe('a failed page', () => {
	const urls = () => [page(1), missing(), page(2), page(3)];

	it('fails the node with an error that mentions it, with Stop at the First Failure or if no page was read', async () => {
		const message = /^Run \S+ for http\S+\/missing ended with status failed/;
		const { error } = await run({ urls: urls(), options: { onFailure: 'error' } });
		expect(error?.message).toMatch(message);
		const { error: only } = await run({ urls: missing() });
		expect(only?.message).toMatch(message);
		const { error: all } = await run({ urls: [missing(), `${missing()}?2`] });
		expect(all?.message).toMatch(message);
		expect(all?.description).toMatch(/\. 2 of 2 pages failed: http\S+ \(.+\), http\S+\?2 \(/);
	});

	it('becomes an item in its place with Return Failed Pages', async () => {
		const urls = [page(1), missing(), 'example', page(2)];
		const { json, hints } = succeeded(await run({ urls, options: { onFailure: 'return' } }));
		expect(hints).toEqual([expect.stringMatching(/^The run ended with status failed, so .*: /)]);
		expect(urlsOf(json)).toEqual(urls);
		const reason: unknown = expect.any(String);
		expect(json.map((row) => row.error)).toEqual([undefined, reason, reason, undefined]);
	});

	it('reaches the error output', async () => {
		const node = { onError: 'continueErrorOutput' } as const;
		const { json, failed } = await run({ urls: urls() }, { node });
		expect(urlsOf(json)).toEqual([1, 2, 3].map(page));
		expect(failed.map((item) => String(item.json.error))).toEqual([
			expect.stringContaining(`for ${missing()} ended`),
		]);
	});

	it('does not affect other pages, and one hint lists all failed pages', async () => {
		const { json, hints } = succeeded(await run({ urls: [...urls(), `${missing()}?2`] }));
		expect(urlsOf(json)).toEqual([1, 2, 3].map(page));
		expect(hints).toEqual([
			expect.stringMatching(
				/^2 of 5 pages failed: http\S+\/missing \(.+\), http\S+\/missing\?2 \(/,
			),
		]);
	});

	it('that times out does not affect other pages, and its run is canceled', async () => {
		await sandbox.control.settings({ runSeconds: 600 });
		const running = run({ urls: [1, 2].map(page), options: { timeoutMinutes: 0.1 } });
		await sandbox.control.finishRun(await sandbox.owner.startedRun());
		const { json, hints } = succeeded(await running);
		expect(json).toHaveLength(1);
		const late = /^1 of 2 pages failed: \S+ \(did not end within 0.1 minutes\)$/;
		expect(hints).toEqual([expect.stringMatching(late)]);
		expect(await sandbox.count(/\/cancel$/)).toBe(1);
	});

	it('does not time out while it is queued behind other pages', async () => {
		await sandbox.control.settings({ slots: 1, runSeconds: 1 });
		const urls = [1, 2, 3, 4, 5, 6].map(page);
		const { json } = succeeded(await run({ urls, options: { timeoutMinutes: 4 / 60 } }));
		expect(urlsOf(json)).toEqual(urls);
	});

	it('if the credits run out, only further starts stop, and the error lists the pages that were not started', async () => {
		await sandbox.respond(402, 'POST /runs$', { error: 'Insufficient credits', skip: 3 });
		const urls = [1, 2, 3, 4, 5, 6].map(page);
		const { json, hints } = succeeded(await run({ urls, generalOptions: { concurrency: 1 } }));
		expect(urlsOf(json)).toEqual([1, 2, 3].map(page));
		expect(hints).toEqual([
			`3 of 6 pages failed: ${page(4)} (There are not enough Maxun credits), ${[5, 6]
				.map((id) => `${page(id)} (Not started: There are not enough Maxun credits)`)
				.join(', ')}`,
		]);
		expect(await sandbox.starts()).toBe(4);
	});

	it.each([400, 422])('is skipped if Maxun rejects it with %i', async (status) => {
		const refusal = { error: 'This page is not supported', skip: 1 };
		await sandbox.respond(status, 'POST /duplicate$', refusal);
		const urls = [1, 2, 3].map(page);
		const { json, hints } = succeeded(await run({ urls, options: { maxQueued: 1 } }));
		expect(urlsOf(json)).toEqual([1, 3].map(page));
		expect(hints).toEqual([expect.stringContaining(`1 of 3 pages failed: ${page(2)} (`)]);
	});

	it.each([403, 422])(
		'does not affect other pages if Maxun does not return its run, and the copy with the data remains: %i',
		async (status) => {
			await sandbox.respond(status, 'GET ^/runs/(?!active)', { error: 'Not yours' });
			const urls = [1, 2].map(page);
			const options = { maxQueued: 1, onFailure: 'return' };
			const { json } = succeeded(await run({ urls, options }));
			expect(urlsOf(json)).toEqual(urls);
			const left = await copiesLeft();
			expect(left).toHaveLength(1);
			await sandbox.owner.delete(`/robots/${left.join()}`);
		},
	);

	it('causes an error after one request if the robot does not exist', async () => {
		const { error } = await run({ urls: urls() }, { robotId: 'missing' });
		expect(error).toMatchObject({ httpCode: '404' });
	});
});

describe('URLs already read', () => {
	const skip = { skipRead: 'skip' };

	function days(robotId: string, processedData: ProcessedData = new Map()) {
		return async (urls: string[], options: INodeParameters = skip, more = {}) => {
			const before = await sandbox.starts();
			const given = { robotId, processedData, mode: 'trigger' as const, ...more };
			const { json, hints, error } = await run({ urls, options }, given);
			return { read: urlsOf(json), hints, error, runs: (await sandbox.starts()) - before };
		};
	}

	it('on the second day, only new pages start a run, and a hint counts the others', async () => {
		const day = days(await newProductRobot(sandbox));
		expect(await day([1, 2].map(page))).toMatchObject({ read: [1, 2].map(page), hints: [] });
		const second = await day([1, 2, 3].map(page));
		expect(second).toMatchObject({ read: [page(3)], runs: 1, error: undefined });
		expect(second.hints).toEqual([
			expect.stringMatching(/^'Skip URLs Already Read' skipped pages that were read before.*2/),
		]);
		expect(await day([1, 2, 3].map(page))).toMatchObject({ read: [], runs: 0, error: undefined });
	});

	it('failed, invalid and empty pages are read again', async () => {
		const day = days(await newProductRobot(sandbox, { Name: '.not-there' }));
		const urls = [page(1), missing(), 'example'];
		for (const runs of [2, 2])
			expect(await day(urls, { ...skip, onFailure: 'return' })).toMatchObject({ runs });
	});

	it("'Start Over' reads all pages again, and stores them", async () => {
		const day = days(await newProductRobot(sandbox));
		await day([1, 2].map(page));
		expect(await day([page(1)], { skipRead: 'startOver' })).toMatchObject({ runs: 1 });
		expect(await day([1, 2].map(page))).toMatchObject({ read: [page(2)] });
	});

	it('a test in the editor leaves out pages that were read, and does not store any', async () => {
		const day = days(await newProductRobot(sandbox));
		await day([page(1)]);
		const manual = { mode: 'manual' as const };
		expect(await day([1, 2].map(page), skip, manual)).toMatchObject({ read: [page(2)] });
		expect(await day([1, 2].map(page))).toMatchObject({ read: [page(2)] });
	});

	it('a page is the same in all spellings of its URL, and for a robot that was created again', async () => {
		const processedData: ProcessedData = new Map();
		const day = days(await newProductRobot(sandbox), processedData);
		await day([page(1)]);
		const again = days(await newProductRobot(sandbox), processedData);
		const spelled = [`${page(1)}/`, `${page(1)}#top`, page(1).replace('http', 'HTTP')];
		expect(await again(spelled)).toMatchObject({ read: [], runs: 0 });
	});

	it('if n8n is killed while the node looks pages up, they are read', async () => {
		const processedData: ProcessedData = new Map();
		const day = days(await newProductRobot(sandbox), processedData);
		await day([page(1)]);
		// After a kill, the table still has the entries that were only added to be looked up.
		for (const [node, entries] of processedData) {
			const [known = ''] = entries;
			processedData.set(
				node,
				entries.filter((entry) => entry === known),
			);
		}
		expect(await day([page(1)])).toMatchObject({ read: [page(1)], runs: 1 });
	});

	it.each([
		[1, 7, 0],
		[100, 7, 1],
		[100, 3650, 0],
	])(
		'after %i days, a page that is read again after %i days starts %i runs',
		async (later, readAgainAfter, runs) => {
			const day = days(await newProductRobot(sandbox));
			await day([page(1)]);
			const options = { ...skip, readAgainAfter };
			moveDate(later * 24 * 3_600_000);
			expect(await day([page(1)], options)).toMatchObject({ runs });
		},
	);

	it("without n8n's table, all pages are read, and a hint says why", async () => {
		const day = days(await newProductRobot(sandbox));
		const { read, hints } = await day([page(1)], skip, { processedData: undefined });
		expect(read).toEqual([page(1)]);
		expect(hints.join()).toContain("can't use n8n's database");
	});

	it('if the table is full, the node reads all pages and says so', async () => {
		class FullTable extends Map<string, string[]> {
			override set(node: string, entries: string[]) {
				if (entries.length > 2_000) throw new Error('Data too long for column');
				return super.set(node, entries);
			}
		}
		const full = new FullTable();
		const day = days(await newProductRobot(sandbox), full);
		await day([page(1)]);
		for (const node of full.keys()) full.set(node, new Array(2_000).fill('other'));
		const { read, hints } = await day([page(2)]);
		expect(read).toEqual([page(2)]);
		expect(hints.join()).toContain('no room for more than 1000 URLs');
	});
});
