import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ExecuteOptions } from '../helpers/engine/index.mts';
import { newRecorded } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { succeeded, useOperations } from './support/details.mts';

const { sandbox, ...operations } = useOperations({ settings: { runSeconds: 0.05, slots: 10 } });

let robotId = '';
beforeEach(async () => {
	robotId = await newRecorded(sandbox, { teamId: '' });
});

const filled = (...columns: string[]) => ({
	values: columns.map((column) => ({ column, share: 100 })),
});

async function run(dataChecks: IDataObject, options: Partial<ExecuteOptions> = {}) {
	const given: INodeParameters = JSON.parse(JSON.stringify({ dataChecks }));
	const parameters = { robotId: locator(robotId), options: given };
	return await operations.run('run', 'runAndWait', parameters, options);
}

/** Adds completed runs with these numbers of rows, oldest first. */
async function ran(...counts: number[]) {
	for (const count of counts) {
		const listData = Array.from({ length: count }, (_, index) => ({ Product: `Desk ${index}` }));
		await sandbox.control.runs({ robotId, run: { data: { listData } } });
	}
}

const FAILED =
	/^Run \S+ of robot 'Robot \d+' failed the data checks: \d+ rows, expected at least 100; no column 'Cost'\. The columns are 'Product', 'Price'$/;
const FAILING = { minRows: 100, columnChecks: filled('Product', 'Cost') };

describe('Data Checks', () => {
	it('compare the numbers of a column with the last good run', async () => {
		const listData = [{ Product: 'Desk', Price: '$1.00' }];
		await sandbox.control.runs({ robotId, run: { data: { listData } } });
		const check = { column: 'Price', check: 'changesBy', value: '10' };
		const { error } = await run({ columnChecks: { values: [check] } });
		expect(error?.message).toMatch(
			/the median of 'Price' is \S+, expected at most 10% more or less than 1$/,
		);
	});

	it('return good data without other requests', async () => {
		const { json, hints } = succeeded(await run({ minRows: 2, columnChecks: filled('Product') }));
		expect(json.length).toBeGreaterThan(2);
		expect(json[0]).not.toHaveProperty('problems');
		expect(hints).toEqual([]);
		expect(await sandbox.count(/^GET \/robots\/[^/]+\/runs/)).toBe(0);
	});

	it('send the rows to the error output', async () => {
		const node = { onError: 'continueErrorOutput' } as const;
		const { json, failed } = succeeded(await run(FAILING, { node }));
		expect(json).toEqual([]);
		expect(failed.map((item) => item.json)).toEqual([
			{
				error: expect.stringMatching(FAILED),
				message: {
					description: expect.stringContaining("'If a Check Fails'"),
					problems: [expect.stringMatching(/rows/), expect.stringMatching(/'Cost'/)],
					rows: expect.arrayContaining([
						{ Product: expect.any(String), Price: expect.any(String) },
					]),
				},
			},
		]);
	});

	it('return the items with their problems', async () => {
		const { json, hints } = succeeded(await run({ ...FAILING, ifCheckFails: 'items' }));
		expect(json.length).toBeGreaterThan(2);
		expect(json[0]).toMatchObject({
			Product: expect.any(String),
			problems: [/./, /./].map(() => expect.any(String)),
		});
		expect(hints).toEqual([expect.stringMatching(FAILED)]);
	});

	it('return nothing, and show a hint', async () => {
		const { json, hints } = succeeded(await run({ ...FAILING, ifCheckFails: 'nothing' }));
		expect(json).toEqual([]);
		expect(hints).toContainEqual(expect.stringMatching(FAILED));
	});

	it('compare with the usual number of rows, which is read once for all items', async () => {
		await ran(90, 100, 110, 100, 0, 100);
		const checks = { mostFewer: 30, ifCheckFails: 'nothing' };
		const { hints } = await run(checks, { items: [{}, {}, {}] });
		expect(hints.join()).toMatch(/\d+ rows, expected at least 70 because 100 are usual/);
		expect(await sandbox.count(new RegExp(`^GET /robots/${robotId}/runs\\?`))).toBe(1);
		expect(await sandbox.count(/^GET \/runs\/(?!active)/)).toBe(3 + 5);
	});

	it('ignore incomplete runs, and robots without earlier runs', async () => {
		expect((await run({ mostFewer: 30 })).error).toBeUndefined();
		const listData = Array.from({ length: 900 }, () => ({ a: 1 }));
		await sandbox.control.runs({ robotId, run: { isPartial: true, data: { listData } } });
		expect((await run({ mostFewer: 30 })).error).toBeUndefined();
	});

	it('keep the rows if earlier runs cannot be read, and show a hint', async () => {
		await ran(100);
		await sandbox.respond(400, `GET ^/robots/${robotId}/runs$`);
		const { json, hints } = succeeded(await run({ mostFewer: 30 }));
		expect(json.length).toBeGreaterThan(2);
		expect(hints).toEqual([expect.stringMatching(/^The usual number of rows is unknown/)]);
	});

	it('fail the node by default, after starting the run again with Retry On Fail', async () => {
		const { error } = await run(FAILING, {
			node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
		});
		expect(error?.message).toMatch(FAILED);
		expect(await sandbox.starts()).toBe(2);
	});
});

it('one-step operations check their rows, and a run without output remains in Maxun with its robot', async () => {
	const { error, hints } = await operations.run('web', 'scrape', {
		url: `${sandbox.siteUrl}/products`,
		formats: ['markdown'],
		options: { dataChecks: { minRows: 2 } },
	});
	expect(error?.message).toMatch(/failed the data checks: 1 row, expected at least 2$/);
	expect(hints).toEqual([]);
	expect(error?.description).toMatch(/remain/);
	expect((await sandbox.owner.get('/robots?q=n8n')).list).toHaveLength(1);
});
