import type { z } from 'zod';
import { needsButton, PAGINATIONS } from '../servers/definition';
import type { Capture, ExtractDefinition, List, Pagination } from '../servers/definition';
import { columnProblem, isXPath, paginationProblem, rowProblem } from '../servers/sdk/selector';
import type { Column } from '../results/table';
import type { formatFields } from './columns';
import type { definitionFields, extractAdditionalFields } from './extract';
import { selectorProblems, stepOf } from './extractSteps';
import type { Values } from './field';
import { duplicateOf } from './parameters';
import type { urlField } from './robots';

// Turns an extract robot's form or JSON into a definition, and reports what is wrong with it.

/** The form of an operation that describes an extract robot. */
export type Given = Values<
	| typeof urlField
	| ReturnType<typeof definitionFields<never>>[number]
	| ReturnType<typeof extractAdditionalFields<never>>
>;

type GivenCapture = Given['fields'][number];
type GivenList = Given['lists'][number];

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

/** Rejects what Maxun would reject, lose or mix up. Messages say which field, column, list or step is wrong. */
export function checkDefinition(given: Given, context: z.RefinementCtx): void {
	const isJson = given.specifyFields === 'json';
	readDefinition(given, (part, message) => {
		context.addIssue({ code: 'custom', path: [isJson ? 'json' : part], message });
	});
}

/** What the robot captures. The parameters must be valid. */
export const definitionOf = (given: Given): ExtractDefinition =>
	readDefinition(given, () => undefined);

type Report = (problem: string) => void;

function readDefinition(
	given: Given,
	report: (part: 'fields' | 'lists' | 'steps', problem: string) => void,
): ExtractDefinition {
	const parts = partsOf(given);
	const { skipSelectorCheck, startUrl } = given.additionalFields;
	// Maxun carries out no steps when it tries the selectors, so it sees only the first page.
	const isChecked = !skipSelectorCheck && startUrl === undefined;
	const inLists = (problem: string) => report('lists', problem);
	if (parts.fields.length === 0 && parts.lists.length === 0) {
		inLists('is empty. Add a list for elements that repeat, or a field for a single value');
	}
	const fields = readCaptures(parts.fields, 'field', '', (problem) => report('fields', problem));
	const lists = readLists(parts.lists, isChecked, inLists);
	sharedNames(fields, lists).forEach(inLists);
	const steps = parts.steps.map(stepOf).flatMap((step) => {
		if (!Array.isArray(step)) return step;
		for (const problem of step) report('steps', problem);
		return [];
	});
	return { url: given.url, startUrl, isChecked, fields, lists, steps };
}

const ATTRIBUTES: Record<string, string> = { text: 'innerText', link: 'href', image: 'src' };

function readCaptures(
	given: GivenCapture[],
	kind: 'field' | 'column',
	place: string,
	report: Report,
): Capture[] {
	const twice = duplicateOf(given.map(({ name }) => name));
	if (twice !== undefined) report(`must not contain two ${kind}s named '${twice}'${place}`);
	return given.map(({ name = '', selector = '', attribute = '', ...others }, index) => {
		const subject = `${name ? `the ${kind} '${name}'` : `${kind} ${index + 1}`}${place}`;
		if (!name) report(`must contain a name for ${subject}`);
		const problemsOf = kind === 'field' ? fieldProblems : columnProblems;
		problemsOf(subject, selector).forEach(report);
		// An attribute without 'returnValue' means that attribute.
		const { returnValue = attribute ? 'attribute' : 'text' } = others;
		const read = returnValue === 'attribute' ? attribute : ATTRIBUTES[returnValue];
		if (read === undefined) {
			report(`must contain a 'Return Value' for ${subject}: text, link, image or attribute`);
		} else if (read === '') report(`must contain an attribute for ${subject}`);
		return { name, selector, attribute: read ?? '' };
	});
}

/** Maxun accepts XPath for a single field, but the robot's runs fail. */
const fieldProblems = (subject: string, selector: string): string[] =>
	isXPath(selector)
		? [`must contain a CSS selector for ${subject}. Maxun supports XPath only in lists`]
		: selectorProblems(subject, selector);

/** Selectors copied from a browser start at the page's root, so they match nothing within a row. */
function columnProblems(subject: string, selector: string): string[] {
	if (!/^(#[\w-]+|html|body)(\s*[>+~]|\s+\S)/.test(selector)) {
		return selector ? selectorProblems(subject, selector, columnProblem) : [];
	}
	return [
		`must contain a relative selector for ${subject}. '${selector}' starts from the top of the page, so keep only its last part`,
	];
}

function readLists(given: GivenList[], isChecked: boolean, report: Report): List[] {
	// Rows don't contain the name, so it is optional.
	const names = given.map(({ name }, index) => name ?? `List ${index + 1}`);
	const twice = duplicateOf(names);
	if (twice !== undefined) report(`must not contain two lists named '${twice}'`);
	return given.map((list, index) => {
		const { rowSelector = '', rowLimit = 100, paginationSelector = '', columns } = list;
		const subject = `the list '${names[index]}'`;
		const pagination = PAGINATIONS.find((known) => known === (list.pagination ?? 'none'));
		selectorProblems(subject, rowSelector, rowProblem).forEach(report);
		if (!Number.isInteger(rowLimit) || rowLimit < 1 || rowLimit > 10_000) {
			report(`must contain a whole number from 1 to 10,000 for 'Max Rows' in ${subject}`);
		}
		paginationProblems(subject, pagination, paginationSelector).forEach(report);
		if (!isChecked) undetectable(subject, columns, pagination).forEach(report);
		return {
			name: names[index],
			rowSelector,
			rowLimit,
			pagination: pagination ?? 'none',
			paginationSelector: list.paginationSelector,
			columns: readCaptures(columns, 'column', ` in ${subject}`, report),
		};
	});
}

function paginationProblems(
	subject: string,
	pagination: Pagination | undefined,
	selector: string,
): string[] {
	if (pagination === undefined) {
		return [`must contain one of these as 'Pagination' for ${subject}: ${PAGINATIONS.join(', ')}`];
	}
	return needsButton(pagination)
		? selectorProblems(`the 'Pagination Selector' of ${subject}`, selector, paginationProblem)
		: [];
}

const UNCHECKED = "Maxun detects nothing with 'Start URL' or 'Skip Selector Check'";

/** What Maxun can only detect by trying the selectors. */
const undetectable = (
	subject: string,
	columns: GivenCapture[],
	pagination: Pagination | undefined,
): string[] => [
	...(columns.length > 0 ? [] : [`must contain columns for ${subject}, because ${UNCHECKED}`]),
	...(pagination === 'automatic'
		? [`must contain a 'Pagination' other than Automatic for ${subject}, because ${UNCHECKED}`]
		: []),
];

/** Rows also contain the single fields. */
function sharedNames(fields: Capture[], lists: List[]): string[] {
	const columns = lists.flatMap((list) => list.columns.map(({ name }) => name));
	const shared = fields.find(({ name }) => name !== '' && columns.includes(name));
	return shared ? [`must not contain a column with the name of the field '${shared.name}'`] : [];
}
