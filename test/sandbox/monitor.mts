import { diffLines } from 'diff';
import { type Run, type RunData, runDataSchema, type State } from './model.mts';

export const DIFF_FORMATS = ['text', 'markdown', 'html', 'captured-text', 'captured-list'] as const;
export type DiffFormat = (typeof DIFF_FORMATS)[number];

/** Compares a completed run with the previous run, and stores the changes in the later run. */
export function watch(run: Run, state: State): void {
	const robot = state.robots.find(({ id }) => id === run.robotId);
	if (robot === undefined || !robot.monitoring.compareRuns || run.status !== 'success') return;
	const previous = lastSuccessBefore(run, state);
	if (previous === undefined) return;
	const changed = diffRuns(previous, run);
	run.previousRunId = previous.id;
	run.changedFormats = changed.map(({ format }) => format);
	run.hasChanges = changed.length > 0;
}

function lastSuccessBefore(run: Run, state: State): Run | undefined {
	return state.runs
		.filter((other) => other.robotId === run.robotId && other.status === 'success' && other !== run)
		.sort((a, b) => Date.parse(b.finishedAt ?? '') - Date.parse(a.finishedAt ?? ''))[0];
}

/** The lines of each format that differs. Both flags are false for unchanged lines. */
function diffRuns(before: Run, after: Run) {
	const from = comparable(before);
	const to = comparable(after);
	return DIFF_FORMATS.filter((format) => from[format] !== to[format]).map((format) => ({
		format,
		changes: diffLines(from[format], to[format]).map(({ value, added, removed }) => ({
			value,
			added,
			removed,
		})),
	}));
}

/** The changes that monitoring has found in a run, in all formats or in a single format. */
export const foundDiffs = (before: Run, after: Run, wanted?: DiffFormat) =>
	diffRuns(before, after).filter(
		({ format }) =>
			after.changedFormats.includes(format) && (wanted === undefined || format === wanted),
	);

function comparable(run: Run): Record<DiffFormat, string> {
	const data: Partial<RunData> = runDataSchema.safeParse(run.data).data ?? {};
	const lists = [...(data.listData ?? []), ...(data.crawlData ?? []).map(withoutTime)];
	return {
		text: data.text ?? '',
		markdown: data.markdown ?? '',
		html: data.html ?? '',
		'captured-text': asLines(Object.entries(data.textData ?? {})),
		'captured-list': asLines([
			...lists,
			...(data.searchData ? [data.searchData] : []),
			...(data.documentData ? [data.documentData] : []),
		]),
	};
}

/** A crawled page without its timestamp, which differs in each run. */
function withoutTime(page: unknown): unknown {
	return typeof page === 'object' && page !== null ? { ...page, scrapedAt: undefined } : page;
}

function asLines(items: unknown[]): string {
	return items.map((item) => `${JSON.stringify(item)}\n`).join('');
}
