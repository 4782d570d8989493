import type { IDataObject } from 'n8n-workflow';
import { MaxunFault } from '../../http/fault';
import { isObject } from '../../http/values';
import { isXPath, type ListChanges } from '../definition';
import { argumentOf, isCapture, storedColumns, type Workflow } from './workflow';

/**
 * The workflow with other names of columns, row limits, paginations and columns. Keeps all other steps.
 *
 * @throws MaxunFault if the robot has no such list or column, or if the changes don't fit the list
 */
export function changed(workflow: Workflow, changes: ListChanges): Workflow {
	checkList(workflow, changes);
	checkColumnNames(workflow, changes);
	const changedAction = (action: IDataObject) => {
		if (!isMeant(action, changes)) return action;
		const change = isList(action) ? changedList : renamed;
		return { ...action, args: [change(argumentOf(action), changes)] };
	};
	return workflow.map((pair) => ({ ...pair, what: pair.what.map(changedAction) }));
}

const isList = ({ action }: IDataObject) => action === 'scrapeList';

/** Whether the changes apply to what an action captures: to all lists and single fields, or only to one list. */
const isMeant = (action: IDataObject, { list }: ListChanges) =>
	isCapture(action) && (list === undefined || (isList(action) && action.name === list));

const meantIn = (workflow: Workflow, changes: ListChanges) =>
	workflow.flatMap(({ what }) => what.filter((action) => isMeant(action, changes)));

const columnsOf = ({ fields }: IDataObject) => (isObject(fields) ? fields : {});

const quoted = (names: unknown[]) => names.map((name) => `'${String(name)}'`).join(', ');

const refuse = (message: string, description: string): never => {
	throw new MaxunFault(message, description, { status: 400 });
};

function checkList(workflow: Workflow, changes: ListChanges): void {
	const { list, columns, itemSelector, rowLimit, pagination, paginationSelector } = changes;
	const meant = meantIn(workflow, changes).filter(isList);
	const isForColumns = itemSelector !== undefined || columns.length > 0;
	const needsList =
		isForColumns ||
		[list, rowLimit, pagination, paginationSelector].some((value) => value !== undefined);
	if (meant.length === 0 && needsList) {
		const names = workflow.flatMap(({ what }) => what.filter(isList).map(({ name }) => name));
		refuse(
			list === undefined ? 'The robot has no list' : `The robot has no list named '${list}'`,
			names.length > 0
				? `Its lists are ${quoted(names)}`
				: 'Only robots of type extract or agent can have lists. Remove the list settings',
		);
	}
	if (meant.length > 1 && isForColumns) {
		refuse(
			'The robot has several lists',
			"Enter the name of one of them in 'List Name' to change its 'Item Selector' or 'Columns'",
		);
	}
}

function checkColumnNames(workflow: Workflow, changes: ListChanges): void {
	if (changes.itemSelector !== undefined && changes.columnNames.length > 0) {
		refuse(
			"'Column Names' does not apply to a new 'Item Selector'",
			"Enter the new names in 'Columns', which replaces all columns, and remove 'Column Names'",
		);
	}
	const captures = meantIn(workflow, changes).map((action) =>
		isList(action) ? columnsOf(argumentOf(action)) : argumentOf(action),
	);
	const names = [...new Set(captures.flatMap((fields) => Object.keys(fields)))];
	const unknown = changes.columnNames.find(({ column }) => !names.includes(column));
	if (!unknown) return;
	refuse(
		`The robot has no column '${unknown.column}'`,
		names.length > 0 ? `Its columns are ${quoted(names)}` : "Remove 'Column Names'",
	);
}

/** Fields with their new names. @param added the names of new columns, which replace columns that keep these names */
function renamed(
	captures: IDataObject,
	{ columnNames }: ListChanges,
	added: string[] = [],
): IDataObject {
	const newName = (name: string) => columnNames.find(({ column }) => column === name)?.name ?? name;
	const isReplaced = (name: string) => newName(name) === name && added.includes(name);
	const kept = Object.keys(captures).filter((name) => !isReplaced(name));
	const all = [...kept.map(newName), ...added];
	const twice = all.find((name, index) => all.indexOf(name) !== index);
	if (twice !== undefined) {
		refuse(`Two columns would have the name '${twice}'`, "Enter another name in 'Column Names'");
	}
	return Object.fromEntries(
		Object.entries(captures).map(([name, capture]) => [newName(name), capture]),
	);
}

function changedList(list: IDataObject, changes: ListChanges): IDataObject {
	const { rowLimit, pagination, paginationSelector } = changes;
	const current = isObject(list.pagination) ? list.pagination : {};
	const next = {
		type: pagination ?? current.type ?? 'none',
		selector: paginationSelector ?? (pagination === undefined ? (current.selector ?? '') : ''),
	};
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
	if (itemSelector !== undefined) {
		if (columns.length === 0) {
			refuse(
				"A new 'Item Selector' needs columns",
				"Enter all columns of the list in 'Columns'. The old ones belong to the old item selector",
			);
		}
		return { listSelector: itemSelector, fields: storedColumns(itemSelector, columns) };
	}
	const current = String(list.listSelector ?? '');
	const other = columns.find(({ selector }) => isXPath(selector) !== isXPath(current));
	if (other) {
		const [used, given] = isXPath(current) ? ['XPath', 'CSS'] : ['CSS', 'XPath'];
		refuse(
			`The column '${other.name}' does not fit the list`,
			`The list uses ${used}, and the selector of this column is ${given}. Enter an 'Item Selector' and all columns in ${given}`,
		);
	}
	const added = columns.map(({ name }) => name);
	const fields = renamed(columnsOf(list), changes, added);
	return { fields: { ...fields, ...storedColumns(current, columns) } };
}
