import type { IDataObject } from 'n8n-workflow';
import type { Rest } from '../http/concurrency';
import { withoutUndefined } from '../http/request';
import type { Run } from '../servers/entities';
import { startOf } from '../servers/runEnd';
import type { MaxunServer } from '../servers/types';
import { lineDiff } from './lineDiff';
import { textOf, titleOf, urlOf } from './pageText';
import { partsOf, type Part } from './rows';

/** A page or a row of a run. */
interface Page {
	url?: string;
	title?: string;
	text: string;
}

/**
 * How a run differs from an earlier one, one object per page or row: `change` is `added`, `removed` or `changed`, and
 * `diff` contains the changed lines with `-` and `+`.
 *
 * @param keyField the field that identifies a row. Without it, the URL identifies a page or a row, and the content a
 * row without a URL. Single fields and the formats of a page are always the same row
 * @param rest is called between two pieces of work of a few milliseconds
 */
export async function compareRuns(
	earlier: Run,
	later: Run,
	keyField: string | undefined,
	rest: Rest,
): Promise<IDataObject[]> {
	const before = await pagesOf(earlier, keyField, rest);
	const after = await pagesOf(later, keyField, rest);
	const changes: IDataObject[] = [];
	for (const key of new Set([...after.keys(), ...before.keys()])) {
		await rest();
		const [old, page] = [before.get(key), after.get(key)];
		if (old?.text === page?.text) continue;
		const { url, title } = page ?? old ?? {};
		changes.push({
			change: !old ? 'added' : !page ? 'removed' : 'changed',
			...(url === undefined && { key }),
			...withoutUndefined({ url, title }),
			diff: await lineDiff(old?.text ?? '', page?.text ?? '', rest),
			runId: later.id,
			previousRunId: earlier.id,
		});
	}
	return changes;
}

/** Keys of rows of which a run has only one. */
const ONLY: Partial<Record<Part['kind'], string>> = { fields: 'fields', formats: 'page' };

/** The pages or rows of a run by their key. */
async function pagesOf(
	run: Run,
	keyField: string | undefined,
	rest: Rest,
): Promise<Map<string, Page>> {
	const pages = new Map<string, Page>();
	const counts = new Map<string, number>();
	/** The key, with a number if another row has the same one. */
	const unused = (key: string): string => {
		const count = (counts.get(key) ?? 0) + 1;
		counts.set(key, count);
		return count === 1 ? key : unused(`${key} (${count})`);
	};
	for (const { kind, rows } of partsOf(run)) {
		const only = rows.length === 1 ? ONLY[kind] : undefined;
		for (const row of rows) {
			await rest();
			const [url, text] = [urlOf(row), textOf(row, kind)];
			const chosen = keyField === undefined ? undefined : row[keyField];
			const key = unused(String(chosen ?? url ?? only ?? text));
			pages.set(key, { url, title: titleOf(row), text });
		}
	}
	return pages;
}

/** The ID of the last successful run before this one. A server that writes dates without a time zone lists all runs. */
export async function idBefore(
	runs: Pick<MaxunServer['runs'], 'list'>,
	robotId: string,
	run: Run,
): Promise<string | undefined> {
	const start = startOf(run) ?? 0;
	const startedAt = String(run.startedAt);
	const until = /^\d{4}-\d\d-\d\dT.*Z$/.test(startedAt) ? startedAt : undefined;
	const listed = await runs.list(robotId, { status: ['success'], until }, until ? 2 : Infinity);
	return listed.find((entry) => entry.id !== run.id && (startOf(entry) ?? Infinity) <= start)?.id;
}
