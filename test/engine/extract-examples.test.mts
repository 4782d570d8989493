import { readFileSync } from 'node:fs';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { execute } from '../helpers/engine/index.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { CUSTOMER } from '../sandbox/site/site.mts';

// The Maxun nodes of the examples that read pages with selectors, on the sandbox's shop.

const sandbox = useSandbox({ settings: { runSeconds: 0.05 } });

const workflow = z.object({
	nodes: z.array(
		z.object({ name: z.string(), type: z.string(), parameters: z.custom<INodeParameters>() }),
	),
});

/** The parameters of an example's node, for the sandbox's shop. */
function parametersIn(file: string, wanted: string): INodeParameters {
	const text = readFileSync(new URL(`../../examples/${file}.json`, import.meta.url), 'utf8');
	const { nodes } = workflow.parse(
		JSON.parse(text.replaceAll('https://shop.example', sandbox.siteUrl)),
	);
	const node = nodes.find(({ name }) => name === wanted);
	if (node === undefined) throw new Error(`${file} has no node '${wanted}'`);
	return node.parameters;
}

async function run(parameters: INodeParameters, input?: INodeExecutionData[]) {
	const { items, error } = await execute({
		parameters,
		credentials: {
			...sandbox.credentials(),
			maxunWebsiteLoginApi: { user: CUSTOMER.email, password: CUSTOMER.password },
		},
		...(input && { input }),
	});
	expect(error).toBeUndefined();
	return (items[0] ?? []).map(({ json }): IDataObject => json);
}

it.each(['extract-a-product-list', 'rows-into-a-data-table', 'rows-into-google-sheets'])(
	'%s returns typed columns from three pages',
	async (file) => {
		const rows = await run(parametersIn(file, 'Read the products'));
		expect(rows).toHaveLength(24);
		for (const row of rows) {
			expect(row).toEqual({
				Product: expect.any(String),
				Price: expect.any(Number),
				Link: expect.stringContaining(`${sandbox.siteUrl}/products/`),
			});
		}
	},
);

it('extract-data-behind-a-login returns the orders and contains no typed text', async () => {
	const { steps } = parametersIn('extract-data-behind-a-login', 'Read the orders');
	expect(JSON.stringify(steps)).not.toMatch(/"text":/);
	const rows = await run(parametersIn('extract-data-behind-a-login', 'Read the orders'));
	expect(rows.map(({ Product, Total }) => [Product, Total])).toEqual([
		['Walnut desk', '$249.00'],
		['Oak chair', '$89.50'],
	]);
});

it('from-a-list-to-its-details returns the fields of both pages', async () => {
	const file = 'from-a-list-to-its-details';
	const [robot] = await run({ ...parametersIn(file, 'Create the robot'), name: 'Details' });
	const products = await run(parametersIn(file, 'Read the products'));
	expect(products).toHaveLength(5);
	const robotId = { __rl: true, mode: 'id', value: String(robot?.id) } as const;
	const rows = await run(
		{ ...parametersIn(file, 'Read each page'), robotId },
		products.map((json) => ({ json })),
	);
	expect(rows).toHaveLength(5);
	expect(rows[0]).toMatchObject({
		Product: 'Walnut desk',
		Price: '$249.00',
		Description: expect.stringContaining('drawers'),
		Stock: '12 in stock',
	});
});
