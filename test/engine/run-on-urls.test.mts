import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { execute, type ExecuteOptions } from '../helpers/engine/index.mts';
import { newProductRobot, productUrl } from '../helpers/fixtures.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { pairedIndex } from './support/operations.mts';

const sandbox = useSandbox();
beforeEach(async () => await sandbox.control.settings({ slots: 2, runSeconds: 0.3 }));
afterEach(async () => await sandbox.control.abortRuns(await sandbox.owner.activeRuns()));

const page = (id: number) => productUrl(sandbox, id);
const missing = () => `${sandbox.siteUrl}/missing`;

/** Runs a robot that captures the name of a product. */
async function run(
	parameters: INodeParameters,
	{ robotId, ...options }: Partial<ExecuteOptions> & { robotId?: string } = {},
) {
	const robot = robotId ?? (await newProductRobot(sandbox));
	const { items, error, hints } = await execute({
		parameters: maxun('run', 'runOnUrls', { robotId: locator(robot), ...parameters }),
		credentials: sandbox.credentials(),
		...options,
	});
	const [rows = [], failed = []] = items;
	const json = rows.map((item): IDataObject => item.json);
	return { rows, json, failed, error, hints: hints.map(({ message }) => message) };
}

const urlsOf = (json: IDataObject[]) => json.map(({ pageUrl }) => pageUrl);

/** Names of the copies that remain. */
async function copiesLeft(): Promise<unknown[]> {
	const { list } = await sandbox.owner.get('/robots?q=n8n&limit=100');
	return list.map(({ name }) => name);
}
afterEach(async () => expect(await copiesLeft()).toEqual([]));

const duplicates = async () => await sandbox.count(/^POST \/robots\/[^/]+\/duplicate$/);
const starts = async () => await sandbox.count(/^POST \/robots\/[^/]+\/runs$/);

describe('the pages', () => {
	it('a list of URLs returns the rows of all pages in its order, with their URLs', async () => {
		const urls = [4, 2, 6, 1, 5, 3].map(page);
		const { rows, json, error } = await run({ urls: urls.join('\n') });
		expect(error).toBeUndefined();
		expect(urlsOf(json)).toEqual(urls);
		expect(new Set(json.map(({ Name }) => Name)).size).toBe(6);
		expect(new Set(rows.map(pairedIndex))).toEqual(new Set([0]));
		expect(await starts()).toBe(6);
	});

	it('each page has its own copy, and as many run at a time as the user sets', async () => {
		await sandbox.control.settings({ slots: 5, runSeconds: 1 });
		const { error } = await run({
			urls: [1, 2, 3, 4, 5, 6].map(page),
			options: { maxRuns: 2 },
		});
		expect(error).toBeUndefined();
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

	it('documents and items name the robot and not its copy', async () => {
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

	it('a row keeps its own field with the name of the URL field', async () => {
		const robotId = await newProductRobot(sandbox, { pageUrl: 'h1' });
		const { json } = await run({ urls: page(1) }, { robotId });
		expect(json).toEqual([{ pageUrl: expect.not.stringContaining('http') }]);
	});

	it('a plan that allows no further copy only makes the pages wait for each other', async () => {
		await sandbox.control.settings({ slots: 5 });
		const body = { success: false, error: 'Your plan allows no more robots' };
		await sandbox.control.fault({
			kind: 'status',
			status: 403,
			path: '/duplicate$',
			skip: 2,
			times: 2,
			body,
		});
		const { json, error } = await run({ urls: [1, 2, 3, 4, 5, 6].map(page) });
		expect(error).toBeUndefined();
		expect(urlsOf(json)).toEqual([1, 2, 3, 4, 5, 6].map(page));
	});

	it('a plan that allows no copy at all is an error with the reason', async () => {
		const body = { success: false, error: 'Your plan allows no more robots' };
		await sandbox.control.fault({
			kind: 'status',
			status: 403,
			path: '/duplicate$',
			times: 9,
			body,
		});
		const { error } = await run({ urls: [1, 2].map(page) });
		expect(error?.description).toContain('Your plan allows no more robots');
		await sandbox.control.clearFaults();
	});
});

describe('an invalid URL', () => {
	const WRONG = 'http://exa%mple';
	const urls = () => [page(1), WRONG, page(2)].join('\n');

	it('an invalid URL fails the node before it sends anything', async () => {
		const { error } = await run({ urls: urls() });
		expect(error?.message).toBe(`'${WRONG}' is not a valid URL`);
		expect(error?.description).toContain('one per line');
		expect(await sandbox.sent()).toEqual([]);
	});

	it('an invalid URL is skipped if the options say so, and a hint mentions it', async () => {
		const { json, error, hints } = await run({ urls: urls(), options: { onFailure: 'skip' } });
		expect(error).toBeUndefined();
		expect(urlsOf(json)).toEqual([1, 2].map(page));
		expect(hints).toContain(`1 page was skipped: ${WRONG} (not a valid URL)`);
	});
});

describe('a failed page', () => {
	const urls = () => [page(1), missing(), page(2), page(3)];

	it('a failed page fails the node and is named', async () => {
		const { error } = await run({ urls: urls() });
		expect(error?.message).toMatch(/^Run \S+ on http\S+\/missing ended with status failed/);
		expect(error?.description).toContain("set 'On Failure' to 'Skip the Page'");
	});

	it('a failed page reaches the error output', async () => {
		const node = { onError: 'continueErrorOutput' } as const;
		const { json, failed } = await run({ urls: urls() }, { node });
		expect(urlsOf(json)).toEqual([1, 2, 3].map(page));
		expect(failed.map((item) => String(item.json.error))).toEqual([
			expect.stringContaining(`on ${missing()} ended`),
		]);
	});

	it('failed pages are skipped if the options say so, and one hint lists them', async () => {
		const { json, error, hints } = await run({
			urls: [...urls(), `${missing()}?2`],
			options: { onFailure: 'skip' },
		});
		expect(error).toBeUndefined();
		expect(urlsOf(json)).toEqual([1, 2, 3].map(page));
		const [hint, ...others] = hints.filter((message) => message.includes('skipped'));
		expect(others).toEqual([]);
		expect(hint).toMatch(/^2 pages were skipped: http\S+\/missing \(.+\), http\S+\/missing\?2 \(/);
	});

	it('a page that times out is skipped, and its run is canceled', async () => {
		await sandbox.control.settings({ runSeconds: 600 });
		const { json, error, hints } = await run({
			urls: page(1),
			options: { onFailure: 'skip', timeoutMinutes: 0.01 },
		});
		expect({ json, error }).toEqual({ json: [], error: undefined });
		expect(hints).toEqual([`1 page was skipped: ${page(1)} (did not end within 0.01 minutes)`]);
		expect(await sandbox.count(/\/cancel$/)).toBe(1);
	});

	it.each([400, 422])('a page that Maxun refuses with %i is skipped', async (status) => {
		const body = { success: false, error: 'This page is not supported' };
		const refusal = { kind: 'status', status, path: '/duplicate$', times: 1, body } as const;
		await sandbox.control.fault({ ...refusal, skip: 1 });
		const { json, error, hints } = await run({
			urls: [1, 2, 3].map(page),
			options: { onFailure: 'skip', maxRuns: 1 },
		});
		expect(error).toBeUndefined();
		expect(urlsOf(json)).toEqual([1, 3].map(page));
		expect(hints.join()).toContain(`1 page was skipped: ${page(2)}`);
	});

	describe('a run that Maxun refuses to return', () => {
		const runOnTwo = async (status: number) => {
			const body = { success: false, error: 'Not yours' };
			const refusal = { kind: 'status', status, path: '^/runs/(?!active)', body } as const;
			await sandbox.control.fault({ ...refusal, method: 'GET', times: 1 });
			return await run({
				urls: [1, 2].map(page),
				options: { onFailure: 'skip', maxRuns: 1 },
			});
		};

		it('is skipped if the refusal concerns only its page', async () => {
			const { json, error } = await runOnTwo(422);
			expect(error).toBeUndefined();
			expect(urlsOf(json)).toEqual([page(2)]);
		});

		it.each([401, 403])('is an error if the refusal concerns all pages: %i', async (status) => {
			const { error } = await runOnTwo(status);
			expect(error).toMatchObject({ httpCode: String(status) });
		});
	});

	it('a robot that does not exist is an error even if failed pages are skipped', async () => {
		const { error } = await run(
			{ urls: urls(), options: { onFailure: 'skip' } },
			{ robotId: 'missing' },
		);
		expect(error).toMatchObject({ httpCode: '404' });
	});
});

describe('the ways out', () => {
	it('a copy that cannot be deleted is named', async () => {
		await sandbox.control.fault({ kind: 'status', status: 403, method: 'DELETE', times: 1 });
		const { error, hints } = await run({ urls: page(1) });
		expect(error).toBeUndefined();
		expect(hints).toEqual([expect.stringMatching(/^The temporary robot \S+ remains in Maxun/)]);
		const { list } = await sandbox.owner.get('/robots?q=n8n&limit=100');
		for (const { id } of list) await sandbox.owner.delete(`/robots/${String(id)}`);
	});
});
