import type { IDataObject } from 'n8n-workflow';
import { groupedBy, rowId, type ChangeSettings } from './changes';
import type { Captured, Part } from './captured';
import { isMissing } from './values';

/** A run with what it lacks, but its previous run has. So only what is missing twice counts as removed. */
export const keptFrom = (before: Captured, run: Captured, settings: ChangeSettings): Captured => ({
	...run,
	parts: run.parts.map((part) => {
		const former = before.parts.find(({ kind, list }) => kind === part.kind && list === part.list);
		return former ? { ...part, rows: rowsKept(former, part, settings) } : part;
	}),
});

function rowsKept(former: Part, part: Part, settings: ChangeSettings): IDataObject[] {
	const candidates = groupedBy(identified(former, settings), ([id]) => id);
	const known = new Map(identified(part, settings).map(([id, row]) => [row, id]));
	const rows = part.rows.map((row) => {
		const [, old] = candidates.get(known.get(row) ?? '')?.shift() ?? [];
		const missing = Object.entries(old ?? {}).filter(([name]) => isMissing(row[name]));
		return { ...row, ...Object.fromEntries(missing) };
	});
	return [...rows, ...[...candidates.values()].flat().map(([, row]) => row)];
}

/** The rows with an ID. The page's only row of single values needs none. */
const identified = ({ kind, rows }: Part, settings: ChangeSettings): Array<[string, IDataObject]> =>
	rows.flatMap((row): Array<[string, IDataObject]> => {
		const id = rowId(row, kind, settings) ?? (kind === 'fields' ? 'fields' : undefined);
		return id === undefined ? [] : [[id, row]];
	});
