import { PAGINATIONS } from '../servers/definition';
import type { Capture, ExtractDefinition, List } from '../servers/definition';
import type { Column } from '../results/table';
import type { formatFields } from './columns';
import type { definitionFields, extractAdditionalFields } from './extract';
import { stepOf } from './extractSteps';
import type { Values } from './field';
import type { urlField } from './robots';

// Turns an extract robot's form or JSON into a definition.

export const ATTRIBUTES: Record<string, string> = { text: 'innerText', link: 'href', image: 'src' };

/** The form of an operation that describes an extract robot. */
export type Given = Values<
	| typeof urlField
	| ReturnType<typeof definitionFields<never>>[number]
	| ReturnType<typeof extractAdditionalFields<never>>
>;

export type GivenCapture = Given['fields'][number];
export type GivenList = Given['lists'][number];

/** The parts of the form, or of the JSON. */
export const partsOf = <G extends Pick<Given, 'specifyFields' | 'json'>>(
	given: G,
): G | NonNullable<G['json']> =>
	given.specifyFields === 'json' && given.json ? given.json : given;

/** The columns of the rows, in the form's order, because Maxun's database may change it. Empty if Maxun detects some of them. */
export function columnsOf(
	given: Values<ReturnType<typeof definitionFields<(typeof formatFields)[number]>>[number]>,
): Column[] {
	const { fields, lists } = partsOf(given);
	if (lists.some(({ columns }) => columns.length === 0)) return [];
	const columns = [...fields, ...lists.flatMap((list) => list.columns)];
	const names = columns.map(({ name }) => name);
	return columns
		.filter(({ name }, index) => names.indexOf(name) === index)
		.map(({ name = '', dateFormat = '', ...format }) => ({
			...format,
			dateFormat,
			name,
			column: name,
		}));
}

/** What the robot captures. The parameters must be valid. */
export function definitionOf(given: Given): ExtractDefinition {
	const { fields, lists, steps } = partsOf(given);
	const { startUrl } = given.additionalFields;
	return {
		url: given.url,
		startUrl,
		isChecked: isChecked(given),
		fields: fields.map(captureOf),
		lists: lists.map(listOf),
		steps: steps.map(stepOf).flatMap((step) => (Array.isArray(step) ? [] : step)),
	};
}

/** Whether Maxun tries the selectors. It carries out no steps then, so it sees only the first page. */
export const isChecked = ({ additionalFields: { skipSelectorCheck, startUrl } }: Given) =>
	!skipSelectorCheck && startUrl === undefined;

/** What to read from the element. An attribute without 'returnValue' means that attribute. */
export const returnValueOf = ({
	returnValue,
	attribute,
}: Pick<GivenCapture, 'returnValue' | 'attribute'>) =>
	returnValue ?? (attribute ? 'attribute' : 'text');

const captureOf = ({
	name = '',
	selector = '',
	returnValue,
	attribute,
}: GivenCapture): Capture => ({
	name,
	selector,
	attribute: ATTRIBUTES[returnValueOf({ returnValue, attribute })] ?? attribute ?? '',
});

export const paginationOf = (given = 'none') => PAGINATIONS.find((known) => known === given);

const listOf = ({ rowSelector = '', ...list }: GivenList, index: number): List => ({
	name: nameOf(list, index),
	rowSelector,
	rowLimit: list.rowLimit ?? 100,
	pagination: paginationOf(list.pagination) ?? 'none',
	paginationSelector: list.paginationSelector,
	columns: list.columns.map(captureOf),
});

/** The name of a list. It is optional, because rows don't contain it. */
export const nameOf = ({ name }: Pick<GivenList, 'name'>, index: number) =>
	name ?? `List ${index + 1}`;
