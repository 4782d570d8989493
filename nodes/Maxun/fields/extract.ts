import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../http/values';
import { additionalFields, differentNames, entriesField } from './collections';
import { examplesField, foundRowsFields, rowsToReadField } from './extractExamples';
import { fieldFields, listFields } from './extractCaptures';
import { stepFields } from './extractSteps';
import {
	allShownIf,
	choice,
	choiceField,
	schemaOf,
	shownIf,
	switchField,
	textField,
	valuesIn,
	type Field,
	type Values,
} from './field';
import { collection, jsonObject, mustBeWebAddress, type Schema } from './parameters';

const jsonOf = <F extends Field>(parts: F[]): Schema<Values<F>> => {
	const names: string[] = parts.map(({ name }) => name);
	return collection(
		jsonObject(positionOf)
			.superRefine((given, context) => {
				const unknown = Object.keys(given).filter((name) => !names.includes(name));
				const messages = otherKeys(parts, [given]);
				if (unknown.length > 0) {
					const found = unknown.join("', '");
					messages.unshift(`must contain only ${names.join(', ')}, but contains '${found}'`);
				}
				for (const message of messages) context.addIssue({ code: 'custom', fatal: true, message });
			})
			.pipe(schemaOf(parts)),
	);
};

/** The JSON may contain a password, so the error keeps only the position. */
const positionOf = (reason: string) =>
	/(position|line) \d.*$/.exec(reason)?.[0] ?? 'check brackets, quotation marks and commas';

/** Reports unknown settings. Otherwise, a misspelled setting would have no effect. */
const otherKeys = (lists: Field[], given: Array<Record<string, unknown>>): string[] =>
	lists.flatMap(({ name, options: [entry] = [] }) => {
		const fields = valuesIn(entry);
		const known = fields.map((field) => field.name);
		const entries = given.flatMap((object) => entriesIn(object[name]));
		const unknown = [...new Set(entries.flatMap(Object.keys))].filter(
			(key) => !known.includes(key),
		);
		const kind = 'displayName' in entry ? entry.displayName.toLowerCase() : name;
		return [
			...(unknown.length > 0
				? [`must not contain '${unknown.join("', '")}' in a ${kind}. Use ${known.join(', ')}`]
				: []),
			...otherKeys(
				fields.filter(({ type }) => type === 'fixedCollection'),
				entries,
			),
		];
	});

const entriesIn = (value: unknown): IDataObject[] => {
	const list = isObject(value) ? value.values : value;
	return Array.isArray(list) ? list.filter(isObject) : [];
};

const EXAMPLE = `{
  "fields": [{ "name": "Heading", "selector": "h1" }],
  "lists": [{ "rowSelector": "li.product", "columns": [{ "name": "Price", "selector": ".price" }] }]
}`;

const OF_TYPE = " and 'type' (text, number, date, link, boolean or any)";

const jsonHint = (types: string) =>
	[
		"An object with 'fields', 'lists' and 'steps'.",
		`A field has 'name', 'selector' (CSS) and 'returnValue' (text, link, image or attribute)${types}.`,
		"A list has 'rowSelector', 'rowLimit', 'pagination' (none, clickNext, clickLoadMore, scrollDown, scrollUp or automatic),",
		"'paginationSelector', 'name', and 'columns', which are fields relative to a row. Without columns, Maxun detects them.",
		"A step has 'action' (click, type, pressKey, selectOption, waitForElement, wait, scroll, goTo or screenshot)",
		"and what the action needs: 'selector', 'text', 'textFrom', 'key', 'option', 'seconds', 'screens', 'url'.",
	].join(' ');

const partFields = <const F extends Field>(formats: F[]) =>
	[
		entriesField(
			'Lists',
			'lists',
			'List',
			'Elements that repeat on the page, such as products or search results. Each becomes a row.',
			listFields(formats),
			differentNames('list'),
		),
		entriesField(
			'Fields',
			'fields',
			'Field',
			'Single values from the page, such as a heading or a total',
			fieldFields(formats),
			differentNames('field'),
		),
		entriesField(
			'Steps',
			'steps',
			'Step',
			'What the robot does before it reads the data, such as a login',
			stepFields,
		),
	] as const satisfies Field[];

/** What a robot captures, and the steps before that. @param formats how to convert a column */
export const definitionFields = <const F extends Field = never>(formats: F[] = []) => {
	const parts = partFields(formats);
	const [lists, fields, steps] = parts;
	return [
		choiceField(
			'Describe the Data',
			'specifyFields',
			'How to describe what to read from the page',
			{
				options: [
					choice('Automatically', 'automatic', 'The node finds the rows and columns by itself'),
					choice('By Example', 'example', 'With values that you see on the page'),
					choice('With Selectors', 'fields', 'With CSS or XPath selectors'),
					choice('With Selectors (JSON)', 'json', 'With CSS or XPath selectors, in JSON'),
				],
				default: 'automatic',
			},
		),
		shownIf({ specifyFields: ['automatic'] }, rowsToReadField),
		shownIf({ specifyFields: ['example'] }, examplesField(formats)),
		...allShownIf({ specifyFields: ['automatic', 'example'] }, foundRowsFields),
		...allShownIf({ specifyFields: ['fields'] }, [lists, fields]),
		shownIf({ specifyFields: ['automatic', 'example', 'fields'] }, steps),
		shownIf(
			{ specifyFields: ['json'] },
			{
				displayName: 'JSON',
				name: 'json',
				type: 'json',
				required: true,
				typeOptions: { rows: 8 },
				default: EXAMPLE,
				description:
					'An object with fields, lists and steps. See the <a href="https://github.com/n8n-nodes-maxun-robots/n8n-nodes-maxun-robots/blob/main/docs/selectors.md#without-the-form">documentation</a>.',
				builderHint: { propertyHint: jsonHint(formats.length > 0 ? OF_TYPE : '') },
				schema: jsonOf(parts),
			},
		),
	] as const satisfies Field[];
};

const startUrlField = textField(
	'Start URL',
	'startUrl',
	"The page where the steps begin, such as a login page. After the steps, the robot opens 'URL'. This turns on 'Skip Selector Check'.",
	{ placeholder: 'e.g. https://example.com/login', rule: mustBeWebAddress },
);

export const extractAdditionalFields = <const F extends Field = never>(more: F[] = []) =>
	additionalFields([
		switchField(
			'Skip Selector Check',
			'skipSelectorCheck',
			'Whether to create the robot without trying its selectors. Turn on if a step reveals the data. Maxun then does not detect columns or pagination.',
		),
		startUrlField,
		...more,
	]);
