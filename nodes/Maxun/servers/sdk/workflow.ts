import { randomUUID } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { withoutUndefined } from '../../http/request';
import { SECOND } from '../../http/time';
import { isObject } from '../../http/values';
import { isXPath, needsButton } from '../definition';
import type { Capture, ExtractDefinition, List, Step } from '../definition';

/** An entry of a robot's workflow: what to do on a page, from top to bottom. */
export interface Pair extends IDataObject {
	what: IDataObject[];
}

/** The server reads a workflow from its end: the last entry opens the first page. */
export type Workflow = Pair[];

const CAPTURES = ['scrapeSchema', 'scrapeList'];
const LOADED: IDataObject = { action: 'waitForLoadState', args: ['networkidle'] };

/** Separates the name of a list from that of its column, in the names of checks. */
const OF = ' › ';

/**
 * The workflow that creates a robot. The server opens the first page and tries the selectors of its captures there.
 *
 * It doesn't try the columns of a list. So each of them is a single field of this workflow, relative to the page.
 * It carries out no steps. So a robot whose steps begin on another page only reads that page at first.
 *
 * @param marker identifies the new robot if the response is lost
 */
export function draftOf(definition: ExtractDefinition, marker: string): Workflow {
	const { url, startUrl = url, steps, fields, lists } = definition;
	const captures = hasOtherStart(definition)
		? [schema('Start', [{ name: 'Page', selector: 'body', attribute: 'innerText' }])]
		: [
				...(fields.length > 0 ? [schema(FIELDS, fields)] : []),
				...(lists.length > 0 ? [schema('Lists', lists.flatMap(checksOf))] : []),
				...lists.filter(needsDetection).map(detection),
			];
	const arrival = startUrl === url ? [] : [visit(url), LOADED];
	return [
		{
			where: { url: startUrl },
			what: [
				...steps.flatMap((step, index) => actionsOf(step, isBehindStep(steps.slice(0, index)))),
				...(hasOtherStart(definition) ? arrival : []),
				...captures,
			],
		},
		{ where: { url: 'about:blank' }, what: [{ ...visit(startUrl), actionId: marker }, LOADED] },
	];
}

/** The name of the single fields in the data of a run. */
const FIELDS = 'Fields';

const hasOtherStart = ({ startUrl }: ExtractDefinition) => startUrl !== undefined;

/** Whether the server stores another workflow than the one that creates the robot. */
export const needsCompletion = (definition: ExtractDefinition) =>
	hasOtherStart(definition) || definition.lists.length > 0;

/**
 * The complete workflow: the steps as the server stored them, with encrypted texts, then all captures.
 *
 * @param stored the workflow in the response to the creation
 */
export function completed(definition: ExtractDefinition, stored: Workflow): Workflow {
	const { fields, lists } = definition;
	return stored.map((pair) => {
		const first = pair.what.findIndex(isCapture);
		if (first < 0) return pair;
		const captures = [
			...(fields.length > 0 ? [schema(FIELDS, fields), LOADED] : []),
			...lists.flatMap((list) => [storedList(list, listIn(stored, list.name)), LOADED]),
		];
		// Without the selectors, which the server would wait for, one after another, if a page lacks them.
		const where = isObject(pair.where) ? pair.where : {};
		const anywhere = withoutUndefined({ ...where, selectors: undefined });
		return { ...pair, where: anywhere, what: [...pair.what.slice(0, first), ...captures] };
	});
}

export const isCapture = ({ action }: IDataObject) => CAPTURES.includes(String(action));

/** The first argument of an action. */
export function argumentOf({ args }: IDataObject): IDataObject {
	const list: unknown[] = Array.isArray(args) ? args : [args];
	return list.find(isObject) ?? {};
}

const visit = (url: string): IDataObject => ({ action: 'goto', args: [url] });

/** Whether an input may be on a page that the server doesn't see when it creates the robot. */
const isBehindStep = (earlier: Step[]) =>
	earlier.some(({ action }) => action === 'click' || action === 'goTo');

/** The server looks up the type of each input, unless the step contains it. */
const inputType = (selector: string) => (/pass|pwd/i.test(selector) ? 'password' : 'text');

const actionsOf = (step: Step, isHidden: boolean): IDataObject[] => {
	switch (step.action) {
		case 'click':
			return [{ action: 'click', args: [step.selector] }, LOADED];
		case 'type':
			return [
				{
					action: 'type',
					args: [step.selector, step.text, ...(isHidden ? [inputType(step.selector)] : [])],
				},
			];
		case 'waitForElement':
			return [
				{ action: 'waitForSelector', args: [step.selector, { timeout: step.seconds * SECOND }] },
			];
		case 'wait':
			return [{ action: 'waitForTimeout', args: [step.seconds * SECOND] }];
		case 'scroll':
			return [{ action: 'scroll', args: [step.screens] }];
		case 'goTo':
			return [visit(step.url), LOADED];
		case 'screenshot':
			return [{ action: 'screenshot', name: step.name, args: [{ fullPage: true, type: 'png' }] }];
	}
};

const schema = (name: string, captures: Capture[]): IDataObject => ({
	action: 'scrapeSchema',
	actionId: `text-${randomUUID()}`,
	name,
	args: [storedCaptures(captures)],
});

export const storedCaptures = (captures: Capture[]): IDataObject =>
	Object.fromEntries(
		captures.map(({ name, selector, attribute }) => [
			name,
			{ tag: '', isShadow: false, selector, attribute },
		]),
	);

/** The parts of a list as single fields of the page. */
const checksOf = ({ name, itemSelector, pagination, paginationSelector, columns }: List) => [
	{ name, selector: itemSelector, attribute: 'innerText' },
	...columns.map((column) => ({
		...column,
		name: name + OF + column.name,
		selector: isXPath(itemSelector)
			? withinItem(itemSelector, column.selector)
			: `:is(${itemSelector}) :is(${column.selector})`,
	})),
	...(needsButton(pagination) && paginationSelector
		? [{ name: `${name}${OF}Pagination`, selector: paginationSelector, attribute: 'innerText' }]
		: []),
];

/** The server only accepts XPath columns that begin with the XPath of the list. */
export const withinItem = (itemSelector: string, column: string) =>
	column === '.' ? itemSelector : itemSelector + column.replace(/^\./, '');

const needsDetection = ({ columns, pagination }: List) =>
	columns.length === 0 || pagination === 'automatic';

const detection = ({ name, itemSelector, rowLimit, ...list }: List): IDataObject => ({
	action: 'scrapeList',
	name,
	args: [
		{
			itemSelector,
			maxItems: rowLimit,
			...(list.pagination !== 'automatic' && { pagination: paginationOf(list) }),
		},
	],
});

const paginationOf = ({
	pagination: type,
	paginationSelector: selector = '',
}: Pick<List, 'pagination' | 'paginationSelector'>) => ({ type, selector });

/** The list that the server detected under this name. */
function listIn(workflow: Workflow, name: string): IDataObject {
	const found = workflow
		.flatMap(({ what }) => what)
		.find((entry) => entry.action === 'scrapeList' && entry.name === name);
	return found ? argumentOf(found) : {};
}

/** @param detected what the server found out about the list */
function storedList(list: List, detected: IDataObject): IDataObject {
	const { name, itemSelector, rowLimit, pagination, columns } = list;
	const own = { listSelector: itemSelector, fields: storedColumns(itemSelector, columns) };
	const config = {
		...detected,
		...(columns.length > 0 && own),
		...(pagination !== 'automatic' && { pagination: paginationOf(list) }),
		limit: rowLimit,
	};
	return { action: 'scrapeList', actionId: `list-${randomUUID()}`, name, args: [config] };
}

/** The columns of a list, whose XPath the server expects to begin with that of the list. */
export const storedColumns = (itemSelector: string, columns: Capture[]): IDataObject =>
	storedCaptures(
		columns.map((column) => ({
			...column,
			selector: isXPath(column.selector)
				? withinItem(itemSelector, column.selector)
				: column.selector,
		})),
	);
