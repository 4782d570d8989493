import type { IDataObject } from 'n8n-workflow';
import { MaxunFault } from '../../http/fault';
import { isObject } from '../../http/values';
import { isXPath, needsButton, type ListChanges } from './definition';
import { argumentOf, isCapture, storedColumns, type Workflow } from './workflow';

/**
 * The workflow with other names of columns, row limits, paginations and columns. Keeps all other steps.
 *
 * @throws MaxunFault if the robot has no such list or column, or if the changes don't fit the list
 */
export function changed(workflow: Workflow, changes: ListChanges): Workflow {
	checkList(workflow, changes);
	checkNames(workflow, changes);
	return workflow.map((pair) => ({
		...pair,
		what: pair.what.map((action) => {
			if (!isCapture(action)) return action;
			const isList = action.action === 'scrapeList';
			if (isList && isMeant(action, changes)) {
				return { ...action, args: [changedList(argumentOf(action), changes)] };
			}
			if (isList || changes.list !== undefined) return action;
			return { ...action, args: [renamed(argumentOf(action), changes)] };
		}),
	}));
}

const actionsIn = (workflow: Workflow) => workflow.flatMap(({ what }) => what);

const listsIn = (workflow: Workflow) =>
	actionsIn(workflow).filter(({ action }) => action === 'scrapeList');

const isMeant = ({ name }: IDataObject, { list }: ListChanges) =>
	list === undefined || name === list;

const columnsOf = ({ fields }: IDataObject) => (isObject(fields) ? fields : {});

function checkList(workflow: Workflow, changes: ListChanges): void {
	const lists = listsIn(workflow);
	const meant = lists.filter((list) => isMeant(list, changes));
	const { list } = changes;
	if (meant.length === 0 && (list !== undefined || needsList(changes))) {
		const names = lists.map(({ name }) => `'${String(name)}'`).join(', ');
		throw new MaxunFault(
			list === undefined ? 'The robot has no list' : `The robot has no list named '${list}'`,
			names ? `Its lists are ${names}` : 'It only captures single fields. Remove the list settings',
			{ status: 400 },
		);
	}
	if (meant.length < 2 || (!changes.itemSelector && changes.columns.length === 0)) return;
	throw new MaxunFault(
		'The robot has several lists',
		"Enter the name of one of them in 'List Name' to change its 'Item Selector' or 'Columns'",
		{ status: 400 },
	);
}

/** Whether the changes only apply to a list. Single fields have names, too. */
const needsList = ({
	rowLimit,
	pagination,
	paginationSelector,
	itemSelector,
	columns,
}: ListChanges) =>
	columns.length > 0 ||
	[rowLimit, pagination, paginationSelector, itemSelector].some((value) => value !== undefined);

function checkNames(workflow: Workflow, changes: ListChanges): void {
	if (changes.itemSelector !== undefined) {
		if (changes.columnNames.length === 0) return;
		throw new MaxunFault(
			"'Column Names' does not apply to a new 'Item Selector'",
			"Enter the new names in 'Columns', which replaces all columns, and remove 'Column Names'",
			{ status: 400 },
		);
	}
	const groups = actionsIn(workflow)
		.filter(isCapture)
		.filter((action) => changes.list === undefined || action.name === changes.list)
		.map((action): [string[], boolean] => [
			Object.keys(capturesIn(action)),
			action.action === 'scrapeList',
		]);
	for (const { column } of changes.columnNames) {
		if (groups.some(([names]) => names.includes(column))) continue;
		throw new MaxunFault(
			`The robot has no column '${column}'`,
			`Its columns are ${[...new Set(groups.flatMap(([names]) => names))].map((name) => `'${name}'`).join(', ')}`,
			{ status: 400 },
		);
	}
	const added = changes.columns.map(({ name }) => name);
	for (const [names, isList] of groups) {
		const kept = isList
			? names.filter((name) => newName(name, changes) !== name || !added.includes(name))
			: names;
		const after = [...kept.map((name) => newName(name, changes)), ...(isList ? added : [])];
		const twice = after.find((name, index) => after.indexOf(name) !== index);
		if (twice === undefined) continue;
		throw new MaxunFault(
			`Two columns would have the name '${twice}'`,
			"Enter another name in 'Column Names'",
			{ status: 400 },
		);
	}
}

const capturesIn = (action: IDataObject) =>
	action.action === 'scrapeList' ? columnsOf(argumentOf(action)) : argumentOf(action);

const newName = (name: string, { columnNames }: ListChanges) =>
	columnNames.find(({ column }) => column === name)?.name ?? name;

const renamed = (captures: IDataObject, changes: ListChanges): IDataObject =>
	Object.fromEntries(
		Object.entries(captures).map(([name, capture]) => [newName(name, changes), capture]),
	);

function changedList(list: IDataObject, changes: ListChanges): IDataObject {
	const { rowLimit, pagination, paginationSelector } = changes;
	const current = isObject(list.pagination) ? list.pagination : {};
	const next = {
		type: pagination ?? current.type ?? 'none',
		selector: paginationSelector ?? (pagination === undefined ? (current.selector ?? '') : ''),
	};
	if (needsButton(String(next.type)) && !next.selector) {
		throw new MaxunFault(
			"This pagination needs a 'Pagination Selector'",
			'Enter the selector of the button or link that shows more rows',
			{ status: 400 },
		);
	}
	return {
		...list,
		...captured(list, changes),
		...(rowLimit !== undefined && { limit: rowLimit }),
		...((pagination ?? paginationSelector) !== undefined && { pagination: next }),
	};
}

/** The item selector and the columns. Maxun loses columns whose selectors don't fit the list's, without an error. */
function captured(list: IDataObject, changes: ListChanges): IDataObject {
	const { itemSelector, columns } = changes;
	const before = renamed(columnsOf(list), changes);
	if (itemSelector !== undefined) {
		if (columns.length > 0) {
			return { listSelector: itemSelector, fields: storedColumns(itemSelector, columns) };
		}
		throw new MaxunFault(
			"A new 'Item Selector' needs columns",
			"Enter all columns of the list in 'Columns'. The old ones belong to the old item selector",
			{ status: 400 },
		);
	}
	const current = String(list.listSelector ?? '');
	const other = columns.find(({ selector }) => isXPath(selector) !== isXPath(current));
	if (other) {
		const [used, given] = isXPath(current) ? ['XPath', 'CSS'] : ['CSS', 'XPath'];
		throw new MaxunFault(
			`The column '${other.name}' does not fit the list`,
			`The list uses ${used}, and the selector of this column is ${given}. Enter an 'Item Selector' and all columns in ${given}`,
			{ status: 400 },
		);
	}
	return { fields: { ...before, ...storedColumns(current, columns) } };
}
