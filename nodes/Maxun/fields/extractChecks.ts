import type { z } from 'zod';
import { needsButton, PAGINATIONS } from '../servers/definition';
import { columnProblem, isXPath, paginationProblem, rowProblem } from '../servers/sdk/selector';
import {
	ATTRIBUTES,
	isChecked,
	nameOf,
	paginationOf,
	partsOf,
	returnValueOf,
	type Given,
	type GivenCapture,
	type GivenList,
} from './extractParameters';
import { selectorProblems, stepOf } from './extractSteps';
import { duplicateOf } from './parameters';

/** Rejects what Maxun would reject, lose or mix up. Messages say which field, column, list or step is wrong. */
export function checkDefinition(given: Given, context: z.RefinementCtx): void {
	const isJson = given.specifyFields === 'json';
	const { fields, lists, steps } = partsOf(given);
	const report = (part: string, problems: string[]) => {
		for (const message of problems) {
			context.addIssue({ code: 'custom', path: [isJson ? 'json' : part], message });
		}
	};
	const isEmpty = fields.length === 0 && lists.length === 0;
	report(
		'lists',
		isEmpty ? ['is empty. Add a list for elements that repeat, or a field for a single value'] : [],
	);
	report('fields', captureProblems(fields, 'field'));
	report('fields', fields.flatMap(singleFieldProblems));
	report('lists', listProblems(lists, isChecked(given)));
	report('lists', sharedNames(fields, lists));
	report(
		'steps',
		steps.map(stepOf).flatMap((step) => (Array.isArray(step) ? step : [])),
	);
}

function captureProblems(captures: GivenCapture[], kind: 'field' | 'column', place = ''): string[] {
	const twice = duplicateOf(captures.map(({ name }) => name));
	return [
		...(twice === undefined ? [] : [`must not contain two ${kind}s named '${twice}'${place}`]),
		...captures.flatMap(({ name, selector, attribute, ...capture }, index) => {
			const returnValue = returnValueOf({ ...capture, attribute });
			const subject = `${name ? `the ${kind} '${name}'` : `${kind} ${index + 1}`}${place}`;
			const isKnown = returnValue === 'attribute' || returnValue in ATTRIBUTES;
			return [
				...(name ? [] : [`must contain a name for ${subject}`]),
				...(kind === 'field' ? selectorProblems(subject, selector) : []),
				...(kind === 'column' ? columnProblems(subject, selector) : []),
				...(isKnown
					? []
					: [`must contain a 'Return Value' for ${subject}: text, link, image or attribute`]),
				...(returnValue === 'attribute' && !attribute
					? [`must contain an attribute for ${subject}`]
					: []),
			];
		}),
	];
}

/** Maxun accepts these selectors, but the robot's runs fail. */
const singleFieldProblems = ({ name = '', selector = '' }: GivenCapture): string[] =>
	isXPath(selector)
		? [`must contain a CSS selector for the field '${name}'. Maxun supports XPath only in lists`]
		: [];

/** Selectors copied from a browser start at the page's root, so they match nothing within a row. */
function columnProblems(subject: string, selector = ''): string[] {
	if (!/^(#[\w-]+|html|body)(\s*[>+~]|\s+\S)/.test(selector)) {
		return selector ? selectorProblems(subject, selector, columnProblem) : [];
	}
	return [
		`must contain a relative selector for ${subject}. '${selector}' starts from the top of the page, so keep only its last part`,
	];
}

function listProblems(lists: GivenList[], areChecked: boolean): string[] {
	const twice = duplicateOf(lists.map(nameOf));
	return [
		...(twice === undefined ? [] : [`must not contain two lists named '${twice}'`]),
		...lists.flatMap((list, index) => {
			const subject = `the list '${nameOf(list, index)}'`;
			return [
				...selectorProblems(subject, list.rowSelector, rowProblem),
				...rowLimitProblems(subject, list.rowLimit),
				...paginationProblems(subject, list),
				...(areChecked ? [] : undetectable(subject, list)),
				...captureProblems(list.columns, 'column', ` in ${subject}`),
			];
		}),
	];
}

const rowLimitProblems = (subject: string, limit = 100): string[] =>
	Number.isInteger(limit) && limit >= 1 && limit <= 10_000
		? []
		: [`must contain a whole number from 1 to 10,000 for 'Max Rows' in ${subject}`];

function paginationProblems(
	subject: string,
	{ pagination, paginationSelector }: GivenList,
): string[] {
	if (paginationOf(pagination) === undefined) {
		return [`must contain one of these as 'Pagination' for ${subject}: ${PAGINATIONS.join(', ')}`];
	}
	if (!needsButton(pagination)) return [];
	return selectorProblems(
		`the 'Pagination Selector' of ${subject}`,
		paginationSelector,
		paginationProblem,
	);
}

const UNCHECKED = "Maxun detects nothing with 'Start URL' or 'Skip Selector Check'";

/** What Maxun can only detect by trying the selectors. */
const undetectable = (subject: string, { columns, pagination }: GivenList): string[] => [
	...(columns.length > 0 ? [] : [`must contain columns for ${subject}, because ${UNCHECKED}`]),
	...(pagination === 'automatic'
		? [`must contain a 'Pagination' other than Automatic for ${subject}, because ${UNCHECKED}`]
		: []),
];

/** Rows also contain the single fields. */
function sharedNames(fields: GivenCapture[], lists: GivenList[]): string[] {
	const columns = lists.flatMap((list) => list.columns.map(({ name }) => name));
	const shared = fields.find(({ name }) => name !== undefined && columns.includes(name));
	return shared ? [`must not contain a column with the name of the field '${shared.name}'`] : [];
}
