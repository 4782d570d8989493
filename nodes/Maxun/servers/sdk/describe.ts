import type { IDataObject } from 'n8n-workflow';
import { withoutEmpty } from '../../http/request';
import { isObject } from '../../http/values';
import { ATTRIBUTES, type Capture, type ReadList } from '../definition';
import { relativeTo, rowProblem, rowXPath } from './selector';
import { describedStep } from './steps';
import { actionsIn, argumentOf, isList, type Workflow } from './workflow';

/** Captures and steps in the editor's terms. Never contains typed text. */
export function describe(workflow: Workflow): IDataObject {
	// The last entry opens the first page.
	const actions = actionsIn([...workflow].reverse());
	const lists = actions.filter(isList).map(describedList);
	const fields = actions
		.filter(({ action }) => action === 'scrapeSchema')
		.flatMap((action) => capturesOf(argumentOf(action)).map(shown));
	const steps = actions.flatMap((action) => describedStep(action) ?? []);
	return withoutEmpty({ fields, lists, steps: steps.slice(1) });
}

const describedList = (action: IDataObject): IDataObject => {
	const { limit, pagination } = argumentOf(action);
	const { type = 'none', selector } = isObject(pagination) ? pagination : {};
	const { name, rowSelector, columns } = readListOf(action);
	return withoutEmpty({
		name,
		rowSelector,
		rowLimit: limit,
		pagination: type === '' ? 'none' : type,
		paginationSelector: selector,
		columns: columns.map(shown),
	});
};

export const listsIn = (workflow: Workflow): ReadList[] =>
	actionsIn(workflow).filter(isList).map(readListOf);

export function readListOf(action: IDataObject): ReadList {
	const { listSelector, entered, pagination, fields } = argumentOf(action);
	const rows = String(listSelector);
	return {
		name: String(action.name ?? ''),
		rowSelector: areRows(entered, rows) ? String(entered) : rows,
		columns: capturesOf(isObject(fields) ? fields : {}, rows),
		isPaged: isObject(pagination) && !['', 'none'].includes(String(pagination.type)),
	};
}

/** Maxun users may have changed the rows that the user entered. */
const areRows = (entered: unknown, rows: string) =>
	typeof entered === 'string' && !rowProblem(entered) && rowXPath(entered) === rows;

const capturesOf = (captures: IDataObject, rows?: string): Capture[] =>
	Object.entries(captures).map(([name, capture]) => {
		const { selector = capture, attribute = 'innerText' } = isObject(capture) ? capture : {};
		const own = String(selector);
		return {
			name,
			selector: rows === undefined ? own : relativeTo(rows, own),
			attribute: String(attribute),
		};
	});

const shown = ({ attribute, ...capture }: Capture): IDataObject => {
	const [returnValue] = Object.entries(ATTRIBUTES).find(([, name]) => name === attribute) ?? [];
	return {
		...capture,
		...(returnValue ? { returnValue } : { returnValue: 'attribute', attribute }),
	};
};
