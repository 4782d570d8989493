import type { IDataObject } from 'n8n-workflow';
import { mapInTurns, type Rest } from '../http/concurrency';
import { withoutUndefined } from '../http/request';
import { isEmpty, pathsOf, pickFields, valueAt } from '../http/values';
import type { Run } from '../servers/entities';
import type { Captured, Part } from './captured';

/** Rows often have their own `url`. */
export const PAGE_URL = 'pageUrl';

export const LISTED_RUN_FIELDS =
	'id robotId robotName status source startedAt finishedAt durationMs hasChanges error'.split(' ');

const USEFUL_RUN_FIELDS = [...LISTED_RUN_FIELDS, 'isPartial', 'changedFormats'];

const OF_RUN = 'run.';

export const RUN_FIELDS = USEFUL_RUN_FIELDS.map((name) => OF_RUN + name);

export const rowsOf = (captured: Captured): IDataObject[] => allRows(shownParts(captured));

/** `flatMap` would take ten times as long. */
export const allRows = (parts: Array<Pick<Part, 'rows'>>): IDataObject[] =>
	parts.length === 1
		? parts[0].rows
		: new Array<IDataObject>().concat(...parts.map(({ rows }) => rows));

/**
 * A run's parts as items. The page's single fields are added to each captured row. They are a separate row if there
 * are no rows, or if a row has a field of the same name.
 */
export function shownParts({ parts: all, lists }: Captured): Part[] {
	const parts = namedParts(all, lists.length > 1);
	const [single, ...more] = parts.find(({ kind }) => kind === 'fields')?.rows ?? [];
	const captured = parts.filter(({ kind }) => kind === 'rows');
	if (!single || more.length > 0 || captured.length === 0) return parts;
	const isHidden = (name: string) => captured.some(({ rows }) => rows.some((row) => name in row));
	if (Object.keys(single).some(isHidden)) return parts;
	const others = parts.filter(({ kind }) => kind !== 'fields');
	return others.map((part) => (part.kind === 'rows' ? filledUp(part, single) : part));
}

export const namedParts = (parts: Part[], areSeveral: boolean): Part[] =>
	areSeveral
		? parts.map((part) => (part.list === '' ? part : filledUp(part, { list: part.list })))
		: parts;

const filledUp = (part: Part, fields: IDataObject): Part => ({
	...part,
	rows: part.rows.map((row) => ({ ...row, ...fields, ...row })),
});

/** Each row's selected fields; one item if all of them belong to the run. Leaves out parts that have none of them. */
export async function selectedOf(
	captured: Captured,
	fields: string[],
	rest: Rest,
): Promise<IDataObject[]> {
	const { run } = captured;
	const ofRun = pickFields({ run }, fields.filter(belongsTo(run)));
	const ofRows = fields.filter((field) => !belongsTo(run)(field));
	if (ofRows.length === 0) return [ofRun];
	const parts: IDataObject[][] = [];
	for (const { rows } of shownParts(captured))
		parts.push(await mapInTurns(rows, rest, (row) => pickFields(row, ofRows)));
	const found = parts.filter((rows) => rows.some((row) => !isEmpty(row)));
	return (found.length > 0 ? found : parts).flat().map((row) => ({ ...row, ...ofRun }));
}

const belongsTo = (run: Run) => (given: string) => {
	const field = given.trim();
	return (
		RUN_FIELDS.includes(field) ||
		(field.startsWith(OF_RUN) && valueAt({ run }, field) !== undefined)
	);
};

export function fieldReader(run: Run, extra: IDataObject = {}) {
	const isOfRun = belongsTo(run);
	return (row: IDataObject, path: string): unknown => {
		const own = valueAt(row, path);
		return own === undefined ? valueAt(isOfRun(path) ? { run } : extra, path) : own;
	};
}

export function columnsOf(rows: IDataObject[]): string[] {
	const names = new Set<string>();
	for (const row of rows) for (const name of Object.keys(row)) names.add(name);
	return [...names];
}

/** The selectable fields with their first values: the rows' fields, then the run's. */
export function selectableFields(captured: Captured): Array<{ path: string; value: unknown }> {
	const { run } = captured;
	const parts = namedParts(captured.parts, captured.lists.length > 1);
	const found = new Map<string, unknown>();
	for (const row of allRows(parts))
		for (const path of pathsOf([row]))
			if (isEmpty(found.get(path))) found.set(path, valueAt(row, path));
	const ofRows = [...found].map(([path, value]) => ({ path, value }));
	return [...ofRows, ...RUN_FIELDS.map((path) => ({ path, value: valueAt({ run }, path) }))];
}

/** A run's most useful fields, and its data without empty parts. `hasData` shows whether there is any. */
export function simplified({ run, data }: Captured): IDataObject {
	const fields = withoutUndefined(pickFields(run, USEFUL_RUN_FIELDS));
	return { ...fields, hasData: !isEmpty(data), data };
}
