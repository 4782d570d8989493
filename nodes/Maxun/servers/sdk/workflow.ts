import { randomUUID } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { withoutUndefined } from '../../http/request';
import { isObject } from '../../http/values';
import type { Capture, ExtractDefinition, List, ReadList } from '../definition';
import { AnyObject } from '../entities';
import { checksOf, isBehindStep, nameOfCheck } from './checks';
import { columnIn, onPage, rowXPath } from './selector';
import { actionsOf, argumentsOf, LOADED } from './steps';

/** A workflow runs from its end: the last entry opens the first page. */
export const Workflow = z.array(AnyObject.extend({ what: z.array(AnyObject).catch([]) }));
export type Workflow = z.output<typeof Workflow>;

const CAPTURES = ['scrapeSchema', 'scrapeList'];

/** The server tries the captures' selectors on the first page, without any steps. `marker` identifies the robot. */
export function draftOf(definition: ExtractDefinition, marker: string): Workflow {
	const { url, startUrl, isChecked, steps, lists } = definition;
	const tried = checksOf(definition).map(({ sent }, index) => field(nameOfCheck(index), sent));
	const captures = [
		schema('Checks', [field('Page', 'body'), ...tried]),
		...(isChecked ? lists.filter(needsDetection).map(detection) : []),
	];
	const first = startUrl ?? url;
	const actions = steps.flatMap((step, index) =>
		actionsOf(step, index, isBehindStep(steps.slice(0, index))),
	);
	const arrival = startUrl === undefined ? [] : [visit(url), LOADED];
	return [
		{ where: { url: first }, what: [...actions, ...arrival, ...captures] },
		{ where: { url: 'about:blank' }, what: [{ ...visit(first), actionId: marker }, LOADED] },
	];
}

/** The steps as the server stored them, with encrypted texts, then all captures. */
export function completeWorkflow(definition: ExtractDefinition, stored: Workflow): Workflow {
	const { fields, lists } = definition;
	return stored.map((entry) => {
		const first = entry.what.findIndex(isCapture);
		if (first < 0) return entry;
		const captures = [
			...(fields.length > 0 ? [schema('Fields', fields), LOADED] : []),
			...lists.flatMap((list) => [storedList(list, listIn(stored, list.name)), LOADED]),
		];
		// Leaves out the selectors. The server would wait for each selector that a page lacks.
		const where = isObject(entry.where) ? entry.where : {};
		const anywhere = withoutUndefined({ ...where, selectors: undefined });
		return { ...entry, where: anywhere, what: [...entry.what.slice(0, first), ...captures] };
	});
}

export function withField(workflow: Workflow, capture: Capture): Workflow {
	const first = workflow.find(({ what }) => what.some(isCapture));
	return workflow.map((entry) => {
		if (entry !== first) return entry;
		const at = entry.what.findIndex(isCapture);
		const reading = [schema(capture.name, [capture]), LOADED];
		return { ...entry, what: [...entry.what.slice(0, at), ...reading, ...entry.what.slice(at)] };
	});
}

export const withSettings = (
	workflow: Workflow,
	isIts: (action: IDataObject) => boolean,
	settings: IDataObject,
): Workflow =>
	workflow.map((entry) => ({
		...entry,
		what: entry.what.map((action) =>
			isIts(action) ? { ...action, args: [{ ...argumentOf(action), ...settings }] } : action,
		),
	}));

/** The server ignores `entered`, the user's selector. */
export function storedSelectors({ rowSelector, columns }: Omit<ReadList, 'isPaged'>): IDataObject {
	const listSelector = rowXPath(rowSelector);
	const stored = columns.map(({ name, selector, attribute }) => ({
		name,
		...columnIn(listSelector, selector, attribute),
	}));
	return { listSelector, entered: rowSelector, fields: storedCaptures(stored) };
}

export const actionsIn = (workflow: Workflow): IDataObject[] =>
	workflow.flatMap(({ what }) => what);

export const lastPageOf = (workflow: Workflow): string | undefined => {
	const visits = actionsIn([...workflow].reverse()).filter(isVisit);
	const [url] = argumentsOf(visits.at(-1) ?? {});
	return typeof url === 'string' ? url : undefined;
};

export const isVisit = ({ action }: IDataObject) => action === 'goto';

export const isCapture = ({ action }: IDataObject) => CAPTURES.includes(String(action));

export const isList = ({ action }: IDataObject) => action === 'scrapeList';

export const isConfigured = ({ action }: IDataObject) => action === 'crawl' || action === 'search';

export const argumentOf = (action: IDataObject): IDataObject =>
	argumentsOf(action).find(isObject) ?? {};

const visit = (url: string): IDataObject => ({ action: 'goto', args: [url] });

const field = (name: string, selector: string): Capture => ({
	name,
	selector,
	attribute: 'innerText',
});

const schema = (name: string, captures: Capture[]): IDataObject => ({
	action: 'scrapeSchema',
	actionId: `text-${randomUUID()}`,
	name,
	args: [storedCaptures(captures)],
});

const storedCaptures = (captures: Capture[]): IDataObject =>
	Object.fromEntries(
		captures.map(({ name, selector, attribute }) => [
			name,
			{ tag: '', isShadow: false, selector, attribute },
		]),
	);

const needsDetection = ({ columns, pagination }: List) =>
	columns.length === 0 || pagination === 'automatic';

const detection = (list: List): IDataObject => ({
	action: 'scrapeList',
	name: list.name,
	args: [
		{
			itemSelector: rowXPath(list.rowSelector),
			maxItems: list.rowLimit,
			...(list.pagination !== 'automatic' && { pagination: storedPagination(list) }),
		},
	],
});

const storedPagination = ({ pagination: type, paginationSelector = '' }: List) => ({
	type,
	selector: onPage(paginationSelector),
});

const listIn = (workflow: Workflow, name: string): IDataObject =>
	argumentOf(actionsIn(workflow).find((action) => isList(action) && action.name === name) ?? {});

/** Without a pagination, the server keeps rows that equal earlier rows. */
function storedList(list: List, detected: IDataObject): IDataObject {
	const { name, rowSelector, rowLimit, columns } = list;
	const pagination = list.pagination === 'automatic' ? detected.pagination : storedPagination(list);
	const config = {
		...storedSelectors(list),
		...(columns.length === 0 && { fields: detectedColumns(rowXPath(rowSelector), detected) }),
		...(isObject(pagination) && pagination.type !== 'none' && { pagination }),
		limit: rowLimit,
	};
	return { action: 'scrapeList', actionId: `list-${randomUUID()}`, name, args: [config] };
}

/** The server sometimes leaves out rows that differ from most others. */
function detectedColumns(rows: string, { fields, listSelector }: IDataObject): IDataObject {
	const within = String(listSelector);
	const ofAllRows = (selector: unknown) =>
		String(selector).startsWith(within) ? rows + String(selector).slice(within.length) : selector;
	return Object.fromEntries(
		Object.entries(isObject(fields) ? fields : {}).map(([name, field]) => [
			name,
			isObject(field) ? { ...field, selector: ofAllRows(field.selector) } : field,
		]),
	);
}
