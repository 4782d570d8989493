import { ATTRIBUTES, type Capture, type ExtractDefinition } from '../servers/definition';
import { canCheckColumn } from '../servers/sdk/selector';
import type { Hint } from '../results/hint';
import type { TableSettings } from '../results/table';
import type { formatFields } from './columns';
import type { definitionFields, extractAdditionalFields } from './extract';
import { examplesIn } from './extractExamples';
import { stepOf } from './extractSteps';
import type { Values } from './field';
import type { Problem } from './parameters';
import type { urlField } from './robots';

// Turns an extract robot's form or JSON into a definition, and reports what is wrong with it.

export type Given = Values<
	| typeof urlField
	| ReturnType<typeof definitionFields<never>>[number]
	| ReturnType<typeof extractAdditionalFields<never>>
>;

type GivenCapture = Pick<
	Given['lists'][number]['columns'][number],
	'name' | 'selector' | 'attribute' | 'returnValue'
>;

const partsOf = <G extends Pick<Given, 'specifyFields' | 'json'>>(
	given: G,
): G | NonNullable<G['json']> =>
	given.specifyFields === 'json' && given.json ? given.json : given;

/** The rows' columns in the form's order, which Maxun's database may change. Then the columns that Maxun detects. */
export function tableIn(
	given: Values<ReturnType<typeof definitionFields<(typeof formatFields)[number]>>[number]>,
): TableSettings {
	if (given.specifyFields === 'automatic') return { first: ['Title', 'Link', 'Price'] };
	if (given.specifyFields === 'example')
		return { columns: given.examples.map((column) => ({ ...column, column: column.name })) };
	const { fields, lists } = partsOf(given);
	const areSeveral = lists.length > 1;
	const ofLists = lists.flatMap(({ columns, ...list }, index) =>
		columns.map((column) => ({ ...column, list: areSeveral ? listName(list, index) : undefined })),
	);
	const columns = [...fields, ...ofLists].map((column) => ({ ...column, column: column.name }));
	if (columns.length === 0) return {};
	return {
		columns,
		keepOtherColumns: lists.some((list) => list.columns.length === 0),
	};
}

/** Most rows don't contain a list's name, so it is optional. */
const listName = ({ name }: { name?: string }, index: number) => name ?? `List ${index + 1}`;

const UNCHECKED = ", because Maxun detects nothing with 'Start URL' or 'Skip Selector Check'";

/** Rejects what Maxun would lose or mix up. */
export function checkDefinition(given: Given): Problem {
	const inJson = given.specifyFields === 'json' ? ['json'] : [];
	const problems: Array<[path: Array<string | number>, message: string]> = [];
	const report = (path: Array<string | number>, message: string) =>
		problems.push([[...inJson, ...path], message]);
	let reason = UNCHECKED;
	const reportUnchecked = (path: Array<string | number>, message: string) => {
		report(path, message + reason);
		reason = ''; // Only the first message contains it.
	};
	if (!isChecked(given) && findsRows(given) && given.pagination === 'automatic')
		reportUnchecked(['pagination'], 'must not be Automatic');
	if (given.specifyFields === 'automatic') return problems;
	if (given.specifyFields === 'example') {
		const missing = given.examples.findIndex(
			({ example, valueToGet }) => !example && valueToGet === 'text',
		);
		if (given.examples.length === 0) report(['examples'], 'is empty. Add a column');
		if (missing >= 0) report(['examples', missing, 'example'], 'is required');
		return problems;
	}
	const { fields, lists } = partsOf(given);
	if (fields.length === 0 && lists.length === 0) {
		const message = 'is empty. Add a list for elements that repeat, or a field for a single value';
		report(inJson.length > 0 ? [] : ['lists'], message);
	}
	lists.forEach(({ columns, pagination }, index) => {
		const list = ['lists', index];
		const shared = columns.findIndex(({ name }) => fields.some((field) => field.name === name));
		if (shared >= 0) {
			report(
				[...list, 'columns', shared, 'name'],
				'must not be the name of a field, because rows contain both',
			);
		}
		if (isChecked(given)) return;
		if (columns.length === 0) reportUnchecked([...list, 'columns'], 'is required');
		if (pagination === 'automatic')
			reportUnchecked([...list, 'pagination'], 'must not be Automatic');
	});
	return problems;
}

/** Maxun doesn't carry out the steps when it tries the selectors, so it only sees the first page. */
const isChecked = ({ additionalFields, specifyFields, steps = [] }: Given) =>
	!additionalFields.skipSelectorCheck &&
	additionalFields.startUrl === undefined &&
	(!findsRows({ specifyFields }) || steps.length === 0);

/** Whether Maxun first reads the page, and the node finds the selectors. */
const findsRows = ({ specifyFields }: Pick<Given, 'specifyFields'>) =>
	specifyFields === 'automatic' || specifyFields === 'example';

/** The parameters must be valid. */
export function definitionOf(given: Given): ExtractDefinition {
	const { fields, lists, steps } = partsOf(given);
	const page = {
		url: given.url,
		startUrl: given.additionalFields.startUrl,
		isChecked: isChecked(given),
		steps: steps.map(stepOf),
	};
	if (findsRows(given)) {
		const { pagination, rowLimit, examples, buttonText, rowsToRead } = given;
		const isAutomatic = given.specifyFields === 'automatic';
		const list = { name: listName({}, 0), rowSelector: '', columns: [], pagination, rowLimit };
		return {
			...page,
			fields: [],
			lists: [{ ...list, isOptional: true }],
			examples: examplesIn(isAutomatic ? [] : examples, buttonText),
			rowsToRead: isAutomatic ? rowsToRead : undefined,
		};
	}
	return {
		...page,
		fields: fields.map(captureOf),
		lists: lists.map((list, index) => ({
			...list,
			name: listName(list, index),
			columns: list.columns.map(captureOf),
		})),
	};
}

/** A hint lists the columns whose selectors Maxun can't try. */
export function checkedDefinition(given: Given, hint: Hint): ExtractDefinition {
	const definition = definitionOf(given);
	const columns = definition.isChecked ? definition.lists.flatMap((list) => list.columns) : [];
	for (const { name, selector } of columns) {
		if (!canCheckColumn(selector)) hint(NOT_TRIED, 1, `'${name}'`);
	}
	return definition;
}

const NOT_TRIED =
	'Maxun could not try the selectors of some columns before their first run. Columns';

const captureOf = ({ name, selector = '', attribute, returnValue }: GivenCapture): Capture => ({
	name,
	selector,
	attribute: attribute ?? { ...ATTRIBUTES, attribute: '' }[returnValue],
});
