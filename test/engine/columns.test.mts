import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { loadOptions } from '../helpers/engine/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { DEMO } from '../sandbox/index.mts';
import { useOperations } from './support/details.mts';

const { sandbox, run } = useOperations();

async function table(listData: unknown, columns: INodeParameters[], more: INodeParameters = {}) {
	const data = { listData };
	const [runId = ''] = await sandbox.control.runs({ robotId: DEMO.products, run: { data } });
	const options = { columns: { values: columns }, ...more };
	return await run('run', 'get', { runId: locator(runId), output: 'rows', options });
}

const LINK = { column: 'Link', type: 'link' };

it("relative links belong to the robot's page, which is read once", async () => {
	const { data } = await sandbox.owner.get(`/robots/${DEMO.products}`);
	const { json } = await table([{ Link: '/p/1' }, { Link: 'N/A' }], [LINK]);
	expect(json).toEqual([{ Link: new URL('/p/1', String(data.url)).href }, { Link: null }]);
	expect(await sandbox.lines()).toEqual([
		expect.stringMatching(/^GET .*\/runs\//),
		`GET /robots/${DEMO.products}`,
	]);
});

it('names in the data or in the form may begin or end with spaces', async () => {
	const rows = [{ 'Price ': '5', Name: 'Desk' }];
	const columns = [
		{ column: 'Price ', type: 'number' },
		{ column: ' Name', name: 'name' },
		{ column: 'run.status ', name: 'status' },
	];
	const { json, hints } = await table(rows, columns, { keepOtherColumns: true });
	expect([json, hints]).toEqual([[{ 'Price ': 5, name: 'Desk', status: 'success' }], []]);
});

it('a column can have its own words for true and false, and other columns are kept', async () => {
	const words = { trueWords: 'In stock, Available', falseWords: 'Sold out' };
	const stock = { column: 'Stock', type: 'boolean', ...words };
	const rows = [
		{ Stock: 'available', Name: 'Desk' },
		{ Stock: 'Sold out', Name: 'Lamp' },
	];
	const { json } = await table(rows, [stock], { keepOtherColumns: true });
	expect(json).toEqual([
		{ Stock: true, Name: 'Desk' },
		{ Stock: false, Name: 'Lamp' },
	]);
});

it('the columns of Run on Many URLs contain the page', async () => {
	const parameters = maxun('run', 'runOnUrls', { robotId: locator(await newRobot(sandbox)) });
	const credentials = sandbox.credentials();
	const listed = await loadOptions('getRunFields', { parameters, credentials });
	expect(listed.map(({ value }) => value)).toContain('pageUrl');
});

it('the column of a condition may be empty, which n8n only accepts if the list contains it', async () => {
	const examples = { values: [{ name: 'Price' }] };
	const form = { what: 'rows', specifyFields: 'example', examples };
	const parameters = maxun('web', 'getChanges', form);
	const credentials = sandbox.credentials();
	const listed = await loadOptions('getConditionColumns', { parameters, credentials });
	expect(listed.map(({ value }) => value)).toEqual(['', 'Price']);
});
