import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import { chooseModel, type ModelStep, startModel } from './model.mts';
import { fromModel } from './mcp.mts';
import { byId, type Fields, node, to, toolNode } from './nodes.mts';
import { type Execution, itemsOf } from './rest.mts';
import { useStage } from './useStage.mts';

const stage = useStage();

const TOOLS: Array<[name: string, resource: string, operation: string, parameters: Fields]> = [
	['Read a page', 'web', 'scrape', { url: fromModel('URL', 'Address'), formats: ['markdown'] }],
	[
		'Find robots',
		'robot',
		'getAll',
		{ returnAll: false, limit: 5, filters: { q: fromModel('Name', 'Part of the name') } },
	],
	['Run a robot', 'run', 'runAndWait', { robotId: byId(fromModel('Robot', 'ID')), output: 'rows' }],
	[
		'Extract fields',
		'web',
		'extractRows',
		{
			url: fromModel('URL', 'Address'),
			specifyFields: 'json',
			json: fromModel('Fields', 'What to extract, as JSON'),
		},
	],
	[
		'Extract rows',
		'web',
		'extractRows',
		{
			url: fromModel('URL', 'Address'),
			specifyFields: 'example',
			examples: {
				values: [
					{ name: 'Product', example: fromModel('Product', 'The name in one row') },
					{
						name: 'Price',
						example: fromModel('Price', 'The price in the same row'),
						type: 'number',
					},
				],
			},
		},
	],
	['Search the web', 'web', 'search', { query: fromModel('Query', 'Words to find') }],
];

const agent = (version: number) => ({
	name: `Agent ${randomUUID()}`,
	nodes: [
		node('Chat', '@n8n/n8n-nodes-langchain.chatTrigger', 1.1, {}, { webhookId: randomUUID() }),
		node('AI Agent', '@n8n/n8n-nodes-langchain.agent', version, {}),
		node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.3, {
			model: byId('scripted'),
			responsesApiEnabled: false,
		}),
		...TOOLS.map(([name, resource, operation, parameters]) =>
			toolNode(name, 'cloud', resource, operation, parameters),
		),
	],
	connections: {
		Chat: to('AI Agent'),
		Model: to('AI Agent', 'ai_languageModel'),
		...Object.fromEntries(TOOLS.map(([name]) => [name, to('AI Agent', 'ai_tool')])),
	},
	settings: { executionOrder: 'v1' },
});

/** The agent's answer to the user when the model follows a script, and the results of its calls. */
async function ask(version: number, ...script: ModelStep[]) {
	const model = await startModel(...script);
	const { id } = await stage.rest.createWorkflow(agent(version));
	await chooseModel(stage, id, model.url);
	const question = { sessionId: randomUUID(), action: 'sendMessage', chatInput: 'Please' };
	const execution: Execution = await stage.rest
		.run(id, 'Chat', question)
		.then(async (started) => await stage.rest.finished(started, 90_000))
		.finally(model.close);
	expect(execution.error).toBeUndefined();
	const messages = model.asked.at(-1)?.messages ?? [];
	const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => `${content}`);
	return { answer: String(itemsOf(execution, 'AI Agent')[0]?.json.output), results, model };
}

const first = (field: string, result = '') =>
	new RegExp(`"${field}":"([^"]+)"`).exec(result)?.[1] ?? `no ${field}`;

const pricesIn = (rows = '') =>
	[...rows.matchAll(/"Price":([\d.]+)/g)].map(([, price]) => Number(price));

/** The last version that runs tools itself, and a version whose tools n8n runs. */
const VERSIONS = [2.2, 3.1];

describe.each(VERSIONS)('an AI agent of version %s with a scripted model', (version) => {
	it('finds a robot by its name and runs it', async () => {
		const { answer, results } = await ask(
			version,
			() => ({ tool: 'Find_robots', input: { Name: 'products' } }),
			([found]) => ({ tool: 'Run_a_robot', input: { Robot: first('id', found) } }),
			([, rows]) => `Product: ${first('Product', rows)}`,
		);
		expect(first('id', results[0])).toBe(DEMO.products);
		expect(answer).toBe('Product: Walnut desk');
	});

	it('searches and reads the first result', async () => {
		const { answer, results, model } = await ask(
			version,
			() => ({ tool: 'Search_the_web', input: { Query: 'oiling a desk' } }),
			([found]) => ({ tool: 'Read_a_page', input: { URL: first('url', found) } }),
			([, page]) => `Page: ${page}`,
		);
		expect(first('url', results[0])).toContain('/articles/oiling-a-desk');
		expect(answer).toMatch(/^Page: .*markdown.*oil/is);
		const names = model.asked[0]?.tools.map((tool) => tool.function.name);
		expect(names?.sort()).toEqual(TOOLS.map(([name]) => name.replaceAll(' ', '_')).sort());
	});

	it('extracts two fields from a page without a robot, after a selector that matches nothing', async () => {
		const url = `${stage.sandbox.siteUrl}/products/2`;
		const extract = (selector: string) => ({
			tool: 'Extract_fields',
			input: {
				URL: url,
				Fields: JSON.stringify({
					fields: [
						{ name: 'Product', selector: 'h1' },
						{ name: 'Price', selector },
					],
				}),
			},
		});
		const { answer, results } = await ask(
			version,
			() => extract('.no-such-price'),
			([error]) => extract(/selector of 'Price'/.test(error ?? '') ? '.price' : ''),
			([, row]) => `${first('Product', row)} for ${first('Price', row)}`,
		);
		expect(results[0]).toContain("Maxun could not use the selector of 'Price'");
		expect(answer).toBe('Oak chair for $89.50');
	});

	it('extracts typed rows by example, after a value that is not on the page', async () => {
		const extract = (Product: string) => ({
			tool: 'Extract_rows',
			input: { URL: `${stage.sandbox.siteUrl}/products`, Product, Price: '$249.00' },
		});
		const { answer, results, model } = await ask(
			version,
			() => extract('Walnutt desk'),
			([error]) => extract(/similar texts for 'Product' are '([^']+)'/.exec(`${error}`)?.[1] ?? ''),
			([, rows]) => `${pricesIn(rows).length} products from $${Math.min(...pricesIn(rows))}`,
		);
		expect(results[0]).toContain("example of 'Product' ('Walnutt desk')");
		expect(answer).toBe('8 products from $24');
		const tool = model.asked[0]?.tools.find(({ function: { name } }) => name === 'Extract_rows');
		expect(tool?.function).toMatchObject({
			description: 'Extract rows from page in Maxun',
			parameters: {
				properties: {
					URL: { type: 'string', description: 'Address' },
					Product: { type: 'string', description: 'The name in one row' },
					Price: { type: 'string', description: 'The price in the same row' },
				},
				required: ['URL', 'Product', 'Price'],
			},
		});
	});
});
