import type { IDataObject } from 'n8n-workflow';
import { withoutUndefined } from '../http/request';
import type { Run } from '../servers/entities';
import { lineDiff } from './lineDiff';
import { isPage, textOf, titleOf, urlOf } from './pageText';
import { rowsOf } from './rows';

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
 * @param keyField the field that identifies a row. Without it, the URL identifies a page, and the content a row
 */
export function compareRuns(earlier: Run, later: Run, keyField?: string): IDataObject[] {
	const before = pagesOf(earlier, keyField);
	const after = pagesOf(later, keyField);
	const changes: IDataObject[] = [];
	for (const [key, page] of after) {
		const old = before.get(key);
		if (old?.text === page.text) continue;
		changes.push(toChange(key, page, old ? 'changed' : 'added', old?.text ?? '', page.text));
	}
	for (const [key, page] of before) {
		if (!after.has(key)) changes.push(toChange(key, page, 'removed', page.text, ''));
	}
	return changes.map((change) => ({ ...change, runId: later.id, previousRunId: earlier.id }));
}

const toChange = (
	key: string,
	{ url, title }: Page,
	change: 'added' | 'removed' | 'changed',
	before: string,
	after: string,
): IDataObject => ({
	change,
	...(url === undefined && { key }),
	...withoutUndefined({ url, title }),
	diff: lineDiff(before, after),
});

/** The pages or rows of a run by their key. */
function pagesOf(run: Run, keyField: string | undefined): Map<string, Page> {
	const pages = new Map<string, Page>();
	const rows = rowsOf(run);
	for (const row of rows) {
		const [url, text] = [urlOf(row), textOf(row)];
		const chosen = keyField === undefined ? undefined : row[keyField];
		const isOnlyPage = rows.length === 1 && isPage(row);
		const key = chosen ?? url ?? (isOnlyPage ? 'page' : text);
		pages.set(unused(String(key), pages), { url, title: titleOf(row), text });
	}
	return pages;
}

/** The key, with a number if another row has the same one. */
function unused(key: string, pages: Map<string, Page>): string {
	let free = key;
	for (let number = 2; pages.has(free); number++) free = `${key} (${number})`;
	return free;
}
