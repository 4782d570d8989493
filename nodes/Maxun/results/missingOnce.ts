import type { IDataObject } from 'n8n-workflow';
import { rowId, type ChangeSettings } from './changes';
import type { Captured, Part } from './captured';
import { isMissing } from './values';

/**
 * A run with the rows and values that it lacks, but that its previous run has. So only what is missing twice counts as
 * removed. A row without anything that identifies it is as it was captured.
 */
export const keptFrom = (before: Captured, run: Captured, settings: ChangeSettings): Captured => ({
	...run,
	parts: run.parts.map((part) => {
		const former = before.parts.find(({ kind, list }) => kind === part.kind && list === part.list);
		return former ? { ...part, rows: rowsKept(former, part, settings) } : part;
	}),
});

function rowsKept(former: Part, part: Part, settings: ChangeSettings): IDataObject[] {
	const candidates = new Map<string, IDataObject[]>();
	for (const [id, row] of identified(former, settings)) {
		candidates.set(id, [...(candidates.get(id) ?? []), row]);
	}
	const known = new Map(identified(part, settings).map(([id, row]) => [row, id]));
	const rows = part.rows.map((row) => {
		const old = candidates.get(known.get(row) ?? '')?.shift() ?? {};
		const missing = Object.entries(old).filter(([name]) => isMissing(row[name]));
		return { ...row, ...Object.fromEntries(missing) };
	});
	return [...rows, ...[...candidates.values()].flat()];
}

/** The rows with an ID. The page's only row of single values needs none. */
const identified = ({ kind, rows }: Part, settings: ChangeSettings): Array<[string, IDataObject]> =>
	rows.flatMap((row): Array<[string, IDataObject]> => {
		const id = rowId(row, kind, settings) ?? (kind === 'fields' ? 'fields' : undefined);
		return id === undefined ? [] : [[id, row]];
	});
