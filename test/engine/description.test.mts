import { NodeHelpers } from 'n8n-workflow';
import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { beforeAll, describe, expect, it } from 'vitest';
import { ACTION_NODE, loadPackage, TRIGGER_NODE } from '../helpers/engine/index.mts';
import { buildWorkflow } from '../helpers/engine/workflow.mts';
import { maxun } from '../helpers/parameters.mts';
import { offers } from './support/offers.mts';

const NODES = [ACTION_NODE, TRIGGER_NODE];
const descriptions = new Map<string, INodeTypeDescription>();

beforeAll(async () => {
	const { nodeTypes } = await loadPackage();
	for (const type of NODES) descriptions.set(type, nodeTypes.getByNameAndVersion(type).description);
});

function descriptionOf(type: string): INodeTypeDescription {
	const description = descriptions.get(type);
	if (description === undefined) throw new Error(`${type} has not been loaded`);
	return description;
}

/** Whether n8n has not added the property. */
const isOwn = ({ name }: INodeProperties) => !['requestOptions', 'pollTimes'].includes(name);

const isProperty = (option: object): option is INodeProperties => 'type' in option;
const isChoice = (option: object): option is INodePropertyOptions => 'value' in option;

interface Located {
	at: string;
	property: INodeProperties;
}

/** All properties with their paths, including those in collections. */
function everyProperty(properties: INodeProperties[], at: string): Located[] {
	return properties.filter(isOwn).flatMap((property) => {
		const here = `${at}.${property.name}`;
		const inner = (property.options ?? []).flatMap((option) => {
			if ('values' in option) return everyProperty(option.values, `${here}.${option.name}`);
			return isProperty(option) ? everyProperty([option], here) : [];
		});
		return [{ at: here, property }, ...inner];
	});
}

const all = () => NODES.flatMap((type) => everyProperty(descriptionOf(type).properties, type));

const choicesOf = ({ options = [] }: INodeProperties) => options.filter(isChoice);

const SMALL = /^(a|an|and|as|at|by|for|from|in|of|on|or|per|the|to|with)$/;

/** File names aren't changed. */
const FILES = new Set(['robots.txt']);

/** Title Case as in n8n: all words except short words in the middle are capitalized. */
function isTitleCase(text: string): boolean {
	return text
		.split(/[\s(]+/)
		.filter((word) => word !== '')
		.every(
			(word, index) => /^[^a-z]/.test(word) || (index > 0 && SMALL.test(word)) || FILES.has(word),
		);
}

/** Fields whose options have their own order: what most people need first, weekdays and units of time. */
const IN_ORDER = [
	'entry',
	'events',
	'operation',
	'resource',
	'runEveryUnit',
	'startFrom',
	'timeRange',
];

const operationFields = () =>
	descriptionOf(ACTION_NODE).properties.filter(({ name }) => name === 'operation');

describe('operations', () => {
	it('each operation has a sentence-case action and its own description', () => {
		const actions = operationFields().flatMap(choicesOf);
		expect(actions.length).toBeGreaterThan(15);
		for (const { name, action = '', description = '' } of actions) {
			expect(action, name).toMatch(/^[A-Z][a-z]+ \S/);
			expect(
				action
					.split(' ')
					.slice(1)
					.every((word) => !/^[A-Z][a-z]/.test(word)),
				action,
			).toBe(true);
			expect(description.length, name).toBeGreaterThan(10);
			expect(description.toLowerCase(), name).not.toBe(name.toLowerCase());
			expect(description.toLowerCase(), name).not.toBe(action.toLowerCase());
		}
		expect(new Set(actions.map(({ action }) => action)).size).toBe(actions.length);
	});

	it('resources, operations and their defaults are in the order in which people need them', () => {
		const { properties } = descriptionOf(ACTION_NODE);
		const resource = properties.filter(({ name }) => name === 'resource');
		for (const field of [...resource, ...operationFields()]) {
			expect(field.noDataExpression).toBe(true);
			expect(choicesOf(field)[0]?.value).toBe(field.default);
			expect(choicesOf(field)[0]).not.toHaveProperty('displayOptions');
		}
		const actions = operationFields().flatMap((field) => choicesOf(field));
		expect(actions.slice(0, 2).map(({ action }) => action)).toEqual([
			'Scrape page',
			'Watch pages for changes',
		]);
		expect(actions.at(-1)?.action).toBe('Get rate limits');
	});
});

describe('fields', () => {
	it('fields are named in Title Case', () => {
		for (const { at, property } of all()) {
			if (property.type === 'notice') continue; // a sentence
			expect(isTitleCase(property.displayName), `${at}: ${property.displayName}`).toBe(true);
			for (const { name } of choicesOf(property)) {
				expect(isTitleCase(name), `${at}: ${name}`).toBe(true);
			}
		}
	});

	it('fields have camelCase names and short descriptions without a period', () => {
		for (const { at, property } of all()) {
			expect(property.name, at).toMatch(/^[a-z][a-zA-Z0-9]*$/);
			const { description = '' } = property;
			if (description !== '' && !description.includes('. '))
				expect(description, at).not.toMatch(/\.$/);
			if (property.type === 'boolean') expect(description, at).toMatch(/^Whether /);
			const { placeholder } = property;
			if (placeholder && !['collection', 'fixedCollection'].includes(property.type)) {
				expect(placeholder, at).toMatch(/^e\.g\. /);
			}
		}
	});

	it('descriptions have at most 25 words', () => {
		for (const { at, property } of all()) {
			for (const { name, description = '' } of [property, ...choicesOf(property)]) {
				// n8n requires the sentence about lists and expressions.
				const own = description.replace(/Choose from the list, or .*$/, '');
				const words = own.replace(/<[^>]+>/g, ' ').match(/\S+/g) ?? [];
				expect(words.length, `${at}, ${name}: ${description}`).toBeLessThanOrEqual(25);
			}
		}
	});

	it('fields list each option once, in alphabetical order', () => {
		for (const { at, property } of all()) {
			const choices = choicesOf(property);
			expect(new Set(choices.map(({ value }) => value)).size, at).toBe(choices.length);
			if (choices.length < 5 && property.type === 'options') continue;
			if (IN_ORDER.includes(property.name)) continue;
			const names = choices.map(({ name }) => name);
			expect(names, at).toEqual([...names].sort((a, b) => a.localeCompare(b)));
		}
	});

	it('optional fields are in alphabetical order in their collection', () => {
		for (const { at, property } of all()) {
			if (property.type !== 'collection') continue;
			const names = (property.options ?? []).map((option) =>
				'displayName' in option ? option.displayName : option.name,
			);
			expect(names, at).toEqual([...names].sort((a, b) => a.localeCompare(b)));
			const shown = (property.options ?? []).map(({ name }, index) => {
				const option = property.options?.[index];
				const { show } = (option && 'displayOptions' in option && option.displayOptions) || {};
				return `${name} ${String(show?.['/server'])}`;
			});
			expect(new Set(shown).size, at).toBe(names.length);
		}
	});

	it('a list that the editor loads is loaded again when what it depends on changes', () => {
		const loaded = all().filter(({ property }) => property.typeOptions?.loadOptionsMethod);
		const fixed = loaded.filter(({ property }) => !property.typeOptions?.loadOptionsDependsOn);
		expect([...new Set(fixed.map(({ property }) => property.name))]).toEqual(['timezone']);
	});

	it('fields have defaults of the right type', () => {
		for (const { at, property } of all()) {
			const { type, default: value } = property;
			const choices = choicesOf(property).map((choice) => choice.value);
			if (type === 'options' && choices.length > 0) expect(choices, at).toContain(value);
			if (type === 'multiOptions') expect(Array.isArray(value), at).toBe(true);
			if (type === 'number') expect(typeof value, at).toBe('number');
			if (type === 'boolean') expect(typeof value, at).toBe('boolean');
			const isList = property.typeOptions?.multipleValues === true;
			if (type === 'string' && isList) expect(value, at).toEqual([]);
			if (type === 'string' && !isList) expect(typeof value, at).toBe('string');
		}
	});

	it('Return All and Limit are the same as in other nodes', () => {
		const limits = all().filter(({ property }) => property.displayName === 'Limit');
		expect(limits.length).toBeGreaterThan(0);
		for (const { at, property } of limits) {
			expect(property, at).toMatchObject({
				default: 50,
				typeOptions: { minValue: 1 },
				description: 'Max number of results to return',
			});
		}
		for (const { property } of all().filter(({ property: { name } }) => name === 'returnAll')) {
			expect(property.description).toBe(
				'Whether to return all results or only up to a given limit',
			);
		}
	});
});

describe('the node', () => {
	it("the trigger's entries in n8n's node panel fill in the form", () => {
		const { properties } = descriptionOf(TRIGGER_NODE);
		// n8n's panel reads the first field with one of these names, and sets that field.
		const entry = properties.find(({ displayName }) =>
			/^(event|events|trigger on)$/i.test(displayName),
		);
		const formOf = ({ value }: INodePropertyOptions) => {
			const given = { [entry?.name ?? '']: value };
			const form = NodeHelpers.getNodeParameters(properties, given, true, false, null, null);
			return [form?.watch, form?.events];
		};
		expect(
			entry?.options?.filter(isChoice).map((choice) => [choice.action, ...formOf(choice)]),
		).toEqual([
			['On run completed', 'robots', ['run_completed']],
			['On run found changes', 'robots', ['run_changed']],
			['On run failed', 'robots', ['run_failed']],
			['On run canceled', 'robots', ['run_canceled']],
		]);
	});

	it("n8n's search finds the node by what people look for", () => {
		const activities = ['scraper', 'web scraping', 'extract data', 'watch a page for changes'];
		const things = ['website changes', 'price', 'new jobs', 'pdf', 'invoice', 'document'];
		const { alias = [] } = descriptionOf(ACTION_NODE).codex ?? {};
		// n8n looks for the letters in this order.
		const isFound = (text: string) =>
			alias.some((words) => new RegExp([...text].join('.*')).test(words));
		expect(
			[...activities, ...things, 'monitor a website'].filter((text) => !isFound(text)),
		).toEqual([]);
	});

	it('each operation with steps has the credential for a login form', () => {
		const { properties, credentials = [] } = descriptionOf(ACTION_NODE);
		const operations = properties
			.filter(({ name }) => name === 'steps')
			.flatMap(({ displayOptions }) => displayOptions?.show?.operation ?? []);
		const login = credentials.find(({ name }) => name === 'maxunWebsiteLoginApi');
		const shown = login?.displayOptions?.show?.['/operation'];
		expect(shown).toEqual(expect.arrayContaining(operations));
		expect(shown).toHaveLength(new Set(operations).size);
	});

	it('the node is a tool for agents, the triggers are not', () => {
		expect(descriptionOf(ACTION_NODE).usableAsTool).toBeTruthy();
		expect(descriptionOf(TRIGGER_NODE).usableAsTool).toBeUndefined();
	});

	it('every empty required field is reported first', async () => {
		const loaded = await loadPackage();
		for (const { resource, value } of await offers()) {
			const parameters = maxun(resource, String(value));
			const { node, nodeType } = buildWorkflow(loaded, { parameters });
			const shown = nodeType.description.properties.filter((property) =>
				NodeHelpers.displayParameter(node.parameters, property, node, nodeType.description),
			);
			const names = shown.map(({ name }) => name);
			expect(new Set(names).size, JSON.stringify(parameters)).toBe(names.length);
			const required = shown.filter((property) => property.required && property.default === '');
			const issues = NodeHelpers.getNodeParametersIssues(
				nodeType.description.properties,
				node,
				nodeType.description,
			);
			for (const { name } of required) {
				expect(Object.keys(issues?.parameters ?? {}), JSON.stringify(parameters)).toContain(name);
			}
		}
	});
});
