import type { IDataObject } from 'n8n-workflow';
import { MaxunFault } from '../http/fault';
import type { Run } from '../servers/entities';
import { isText } from './pageText';
import { partsOf, type Part } from './rows';
import { screenshotsOf } from './screenshots';
import type { RunOutput } from './types';

/**
 * Whether a completed run has no rows, or only pages that could not be read. A self-hosted server reports success even
 * if it can't open a page. A screenshot counts as data.
 *
 * @param lists what the robot reads: single fields, such as a heading, don't count without the rows of a list
 */
export const capturedNothing = (run: Run, lists: RunOutput['lists'] = []): boolean =>
	run.status === 'success' &&
	!hasReadableRows(run, lists.length > 0) &&
	screenshotsOf(run).length === 0;

/** Hints about lists with as many rows as they may have, because the page may have more. */
export const fullLists = (run: Run, lists: RunOutput['lists'] = []): string[] =>
	lists.flatMap(({ name, rowLimit }) => {
		const isIts = (part: Part) =>
			part.kind === 'rows' && (lists.length === 1 || part.list === name);
		const isFull = partsOf(run).some((part) => isIts(part) && part.rows.length === rowLimit);
		return isFull
			? `The list '${name}' has ${rowLimit} rows, which is its 'Max Rows'. The page may have more`
			: [];
	});

const hasReadableRows = (run: Run, hasLists: boolean) =>
	partsOf(run).some(({ kind, rows }) => {
		if (kind === 'fields') return !hasLists;
		return kind === 'rows' || rows.some((row) => !isUnread(row));
	});

/** The content of a crawled page, a search result or a page in several formats. The other fields only describe it. */
const CONTENT = ['markdown', 'html', 'text', 'links', 'summary', 'title', 'description', 'snippet'];

/** Whether a page has an error and no content. */
const isUnread = (row: IDataObject): boolean =>
	isText(row.error) && CONTENT.every((name) => !row[name]);

/**
 * The fault for a completed run without data.
 *
 * @param advice what the user can do
 * @param subject what the run reads; by default, its robot
 */
export const noData = (
	{ id, robotName, robotId }: Run,
	advice: string,
	subject = `of robot '${robotName ?? robotId ?? 'unknown'}'`,
): MaxunFault =>
	new MaxunFault(
		`Run ${id} ${subject} captured no data`,
		`Maxun may not be able to open the page, or the page may have changed. ${advice}`,
		{ forModel: 'Try another page or robot, or tell the user that the page returned no data' },
	);
