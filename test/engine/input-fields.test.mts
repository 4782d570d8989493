import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { newProductRobot, productUrl } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { useOperations } from './support/details.mts';

const { sandbox, succeed } = useOperations({ settings: { runSeconds: 0.05 } });

/** Runs a robot on one page for each input item. */
async function run(options: INodeParameters, more: INodeParameters = {}, extra: IDataObject = {}) {
	const input = [1, 2].map((id) => ({
		json: { sku: `A${id}`, Name: 'from the input', url: productUrl(sandbox, id), ...extra },
	}));
	const robotId = locator(await newProductRobot(sandbox));
	const parameters = { robotId, urls: '={{ $json.url }}', options, ...more };
	return await succeed('run', 'runOnUrls', parameters, { input });
}

const PRODUCTS = ['Walnut desk', 'Oak chair'];

it('all input fields are added to each row, and a hint lists the fields that the row replaces', async () => {
	const { json, hints } = await run({ includeOtherFields: 'all' });
	expect(json).toEqual(
		[1, 2].map((id, index) => ({
			sku: `A${id}`,
			Name: PRODUCTS[index],
			url: productUrl(sandbox, id),
			pageUrl: productUrl(sandbox, id),
		})),
	);
	expect(hints).toContainEqual(
		expect.stringMatching(
			/^The rows and the input have fields with the same name\. .*: 'Name' \(2 times\)$/,
		),
	);
});

it.each([
	['selected', 'sku', ['sku', 'pageUrl', 'Name']],
	['except', 'Name, url', ['sku', 'pageUrl', 'Name']],
])('%s fields: %s', async (includeOtherFields, otherFields, names) => {
	const { json, hints } = await run({ includeOtherFields, otherFields });
	for (const row of json) expect(Object.keys(row)).toEqual(names);
	expect(hints).toEqual([]);
});

it('nested fields can be left out', async () => {
	const options = { includeOtherFields: 'except', otherFields: 'Name, url, stock.count' };
	const { json } = await run(options, {}, { stock: { count: 3, place: 'A' } });
	expect(json[0]).toMatchObject({ sku: 'A1', stock: { place: 'A' } });
	expect(json[0]?.stock).not.toHaveProperty('count');
});

it("input fields and the page's URL can be columns with other names", async () => {
	const columns = {
		values: [{ column: 'Name' }, { column: 'sku', name: 'id' }, { column: 'pageUrl' }],
	};
	const options = { includeOtherFields: 'selected', otherFields: 'sku', columns };
	const { json, hints } = await run(options);
	const rows = PRODUCTS.map((Name, at) => ({
		...{ Name, id: `A${at + 1}`, pageUrl: productUrl(sandbox, at + 1) },
	}));
	expect(JSON.stringify(json)).toBe(JSON.stringify(rows));
	expect(hints).toEqual([]);
});

it('the metadata of documents contains them', async () => {
	const options = { includeOtherFields: 'selected', otherFields: 'sku' };
	const { json } = await run(options, { output: 'documents' });
	expect(json.map(({ metadata }) => Object(metadata).sku)).toEqual(['A1', 'A2']);
	for (const document of json) expect(Object.keys(document)).toEqual(['text', 'metadata']);
});
