import { encodingForModel } from 'js-tiktoken';
import { NodeHelpers, type INodeProperties } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { ACTION_NODE, loadPackage, TOOL_NODE } from '../helpers/engine/index.mts';
import { buildWorkflow } from '../helpers/engine/workflow.mts';
import { maxun } from '../helpers/parameters.mts';
import { offers, type Offer } from './support/offers.mts';

const loaded = await loadPackage();
const descriptionOf = (type: string) => loaded.nodeTypes.getByNameAndVersion(type).description;

/** The node's operations, as n8n's AI workflow builder reads them. */
const operations = await offers();

const wordsOf = (text: string) =>
	new Set((text.toLowerCase().match(/[a-z]{3,}/g) ?? []).map((word) => word.replace(/s$/, '')));

/** An operation's texts, without hints that mention other operations. */
const textOf = ({ name, action, description, builderHint }: Offer) =>
	[name, action, description, builderHint?.propertyHint].join(' ');

const all = operations.map((choice) => ({ choice, words: wordsOf(textOf(choice)) }));

/** How rare a word is, so that `robot` has little weight. */
const weightOf = (word: string) =>
	Math.log(all.length / (1 + all.filter(({ words }) => words.has(word)).length));

/** The operation whose texts share the most and the rarest words with a request. */
function chosenFor(request: string): string {
	const wanted = [...wordsOf(request)];
	const scored = all.map(({ choice, words }) => ({
		name: choice.id,
		score:
			wanted.filter((word) => words.has(word)).reduce((sum, word) => sum + weightOf(word), 0) /
			Math.sqrt(words.size),
	}));
	return scored.sort((a, b) => b.score - a.score)[0]?.name ?? '';
}

it.each([
	['Read this one article as Markdown', 'web: scrape'],
	['Crawl the whole documentation website for a vector store', 'web: crawl'],
	['Search the web for keywords', 'web: search'],
	['Extract a product list with CSS selectors and pagination', 'web: extractRows'],
	['Run my existing robot and get its data', 'run: runAndWait'],
	['Run a robot on a list of URLs from a spreadsheet', 'run: runOnUrls'],
	['What changed on the website since the previous run?', 'run: compare'],
	['Let Maxun run the robot every day', 'schedule: upsert'],
	['How many credits are left in my account?', 'account: getUsage'],
])('the best match for a task is the right operation %s', (request, operation) => {
	expect(chosenFor(request)).toBe(operation);
});

describe('the tool', () => {
	const tokenizer = encodingForModel('gpt-4o');
	const { properties } = descriptionOf(TOOL_NODE);
	const { node } = buildWorkflow(loaded, { type: TOOL_NODE, parameters: {} });

	/** The tokens that an agent reads about an operation if its model sets all fields. */
	function tokensOf({ resource, value }: Offer): number {
		const parameters = maxun(resource, String(value));
		const nodeType = loaded.nodeTypes.getByNameAndVersion(TOOL_NODE);
		const tool = { ...node, parameters };
		const shown = properties.filter((property: INodeProperties) =>
			NodeHelpers.displayParameter(parameters, property, tool, nodeType.description),
		);
		const fields = shown.flatMap(({ options = [], ...field }) => [
			field,
			...(field.type === 'collection' ? options.filter((option) => 'type' in option) : []),
		]);
		const schema = Object.fromEntries(
			fields.map(({ name, type, description }) => [name, { type, description }]),
		);
		const description = NodeHelpers.getToolDescriptionForNode(tool, nodeType);
		return tokenizer.encode(JSON.stringify({ name: 'Maxun', description, schema })).length;
	}

	it('has a description of at most 1,500 tokens, even if the model sets every field', () => {
		const costs = operations.map((choice) => ({ name: choice.id, tokens: tokensOf(choice) }));
		const [most] = costs.sort((a, b) => b.tokens - a.tokens);
		expect(most?.tokens, JSON.stringify(most)).toBeGreaterThan(100);
		expect(most?.tokens, JSON.stringify(costs.slice(0, 5))).toBeLessThanOrEqual(1500);
	});

	it('tells an agent what it can do', () => {
		expect(descriptionOf(ACTION_NODE).usableAsTool).toMatchObject({
			replacements: { description: expect.stringMatching(/^Read web pages, search the web/) },
		});
	});
});
