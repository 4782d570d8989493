import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import { loadOptions } from '../helpers/engine/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { CASES, QUICK } from './cases/index.mts';
import { useOperations } from './support/details.mts';
import { describeForm } from './support/self-hosted.mts';

const { sandbox, run, succeed } = useOperations(QUICK);

const VAT = 'Price incl. VAT';
const PRODUCTS = [
	{ Product: 'Desk', Price: '249', [VAT]: '296' },
	{ Product: 'Lamp', Price: '39', [VAT]: '46' },
];

async function newRun(data: object, robotId: string = DEMO.products): Promise<string> {
	const [runId = ''] = await sandbox.control.runs({ robotId, run: { data } });
	return runId;
}

describe('selected fields of a run', () => {
	const ofRun = { status: 'success' };

	it.each<[string, object[], string[], object[]]>([
		[
			'in their order',
			PRODUCTS.slice(0, 1),
			['Price', 'Product'],
			[{ Price: '249', Product: 'Desk' }],
		],
		['with a dot', PRODUCTS, [VAT], PRODUCTS.map((row) => ({ [VAT]: row[VAT] }))],
		[
			'of the run',
			PRODUCTS.slice(0, 1),
			['Product', 'run.status'],
			[{ Product: 'Desk', run: ofRun }],
		],
		['that only some rows have', [{ Note: 'new' }, { A: 1 }], ['Note'], [{ Note: 'new' }, {}]],
	])('%s', async (_, listData, fields, expected) => {
		const runId = locator(await newRun({ listData }));
		const { json } = await succeed('run', 'get', { runId, output: 'fields', fields });
		expect(json).toEqual(expected);
	});

	it('a language model can enter the names as text', async () => {
		const runId = locator(await newRun({ listData: PRODUCTS }));
		const fields = 'Product, Price';
		const { json } = await run('run', 'get', { runId, output: 'fields', fields });
		expect(json[0]).toEqual({ Product: 'Desk', Price: '249' });
	});
});

describe('the list of fields', () => {
	const listFor = async (operation: string, parameters: INodeParameters) =>
		await loadOptions('getRunFields', {
			parameters: maxun('run', operation, parameters),
			credentials: sandbox.credentials(),
		});
	const namesFor = async (...given: Parameters<typeof listFor>) =>
		(await listFor(...given)).map(({ value }) => value);

	it("contains the columns of the robot's last completed run", async () => {
		const robotId = await newRobot(sandbox, { type: 'extract' });
		await newRun({ listData: PRODUCTS }, robotId);
		await newRun({ listData: [] }, robotId);
		const data = { listData: [{ Wrong: 1 }] };
		await sandbox.control.runs({ robotId, status: 'failed', run: { data } });
		const names = await namesFor('runAndWait', { robotId: locator(robotId) });
		expect(names.slice(0, 3)).toEqual(['Product', 'Price', VAT]);
		expect(names).toContain('run.status');
		expect(names).not.toContain('Wrong');
	});

	it('contains the columns of all robots of a trigger', async () => {
		const robotIds = [await newRobot(sandbox, { type: 'extract' }), await newRobot(sandbox)];
		await newRun({ listData: PRODUCTS }, robotIds[0]);
		await newRun({ listData: [{ Product: 'Chair', Stock: 3 }] }, robotIds[1]);
		const listed = await loadOptions('getRunFields', {
			parameters: { server: 'cloud', robotIds, output: 'rows' },
			credentials: sandbox.credentials(),
			node: { type: 'n8n-nodes-maxun-robots.maxunTrigger' },
		});
		const names = listed.map(({ value }) => value);
		expect(names.slice(0, 4)).toEqual(['Product', 'Price', 'Price incl. VAT', 'Stock']);
		expect(names.filter((name) => name === 'run.status')).toHaveLength(1);
	});

	it('contains a value for each column and each field of the run', async () => {
		const robotId = await newRobot(sandbox, { type: 'extract' });
		const long = `many\n${'words '.repeat(50)}`;
		await newRun({ listData: [{ Note: null, Long: long }, ...PRODUCTS, { Note: 'new' }] }, robotId);
		const listed = await listFor('runAndWait', { output: 'simplified', robotId: locator(robotId) });
		const about = new Map(listed.map(({ value, description }) => [value, description]));
		expect(about.get('Product')).toBe('e.g. Desk');
		expect(about.get('Price incl. VAT')).toBe('e.g. 296');
		expect(about.get('Note')).toBe('e.g. new');
		expect(about.get('Long')).toMatch(/^e\.g\. many words .{60,}…$/);
		expect(about.get('run.status')).toBe('e.g. success');
		// This didn't start a run.
		expect((await sandbox.lines()).every((line) => line.startsWith('GET '))).toBe(true);
	});

	it('contains the columns of the selected run', async () => {
		const runId = locator(await newRun({ listData: [{ Only: 1 }] }));
		expect(await namesFor('get', { runId })).toEqual(expect.arrayContaining(['Only', 'run.id']));
	});

	it('contains the fields of a run if the robot has never run', async () => {
		const robotId = locator(await newRobot(sandbox));
		const names = await namesFor('runAndWait', { robotId });
		expect(names).toContain('run.durationMs');
		expect(names.every((name) => String(name).startsWith('run.'))).toBe(true);
	});
});

/** Operations whose items have many fields, apart from runs with their data. */
const LONG = /^(agent: get\w*|robot: get\w*|run: get\w+|schedule: getAll)$/;

it.each(CASES.filter(({ resource, operation }) => LONG.test(`${resource}: ${operation}`)))(
	'simplified output of $resource: $operation contains at most ten of all fields',
	async ({ resource, operation, prepare }) => {
		const { parameters } = await prepare(sandbox, { teamId: '' });
		const fieldsOf = async (output: string) =>
			(await succeed(resource, operation, { ...parameters, output })).json[0] ?? {};
		const [few, all] = [await fieldsOf('simplified'), await fieldsOf('raw')];
		expect(all).toMatchObject(few);
		const [count, countOfAll] = [few, all].map((item) => Object.keys(item).length);
		expect([6, 7, 8, 9, 10]).toContain(count);
		expect(countOfAll).toBeGreaterThan(count ?? 0);
	},
);

describe('robots', () => {
	it("each robot's item contains the selected fields", async () => {
		const fields = ['id', 'monitoring.compareRuns'];
		const { json } = await run('robot', 'getAll', { returnAll: true, output: 'fields', fields });
		expect(json).toContainEqual({ id: DEMO.products, monitoring: { compareRuns: false } });
	});

	it("the list contains a robot's fields", async () => {
		const fields = await loadOptions('getRobotFields', {
			parameters: maxun('robot', 'get'),
			credentials: sandbox.credentials(),
		});
		expect(fields.map(({ value }) => value)).toEqual(expect.arrayContaining(['id', 'webhooks']));
	});
});

describeForm(sandbox, 'observed', (own) => {
	it('a self-hosted server lists the fields of the last completed run, and returns the selected fields', async () => {
		await own.runAndWait(DEMO.products);
		const robotId = locator(DEMO.products);
		const listed = await loadOptions('getRunFields', {
			parameters: maxun('run', 'runAndWait', { server: 'selfHosted', robotId }),
			credentials: sandbox.serverCredentials(),
		});
		const [column = ''] = listed.map(({ value }) => String(value));
		expect(column).not.toMatch(/^run\./);
		const parameters = { output: 'fields', fields: [column, 'run.status'] };
		const { json } = await own.runAndWait(DEMO.products, parameters);
		expect(json[0]).toEqual({ [column]: expect.any(String), run: { status: 'success' } });
	});
});
