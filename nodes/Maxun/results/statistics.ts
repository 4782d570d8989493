import type { IDataObject } from 'n8n-workflow';
import { hasEnded, type Run } from '../servers/entities';

/** `successRate` is the share of ended runs, from 0 to 1. It and the median are null without such runs. */
export function statisticsOf(runs: Run[]): IDataObject {
	const count = (status: string) => runs.filter((run) => run.status === status).length;
	const ended = runs.filter(hasEnded).length;
	const succeeded = runs.filter(({ status }) => status === 'success');
	return {
		runs: runs.length,
		succeeded: succeeded.length,
		failed: count('failed'),
		aborted: count('aborted'),
		partial: runs.filter(({ isPartial }) => isPartial === true).length,
		active: runs.length - ended,
		successRate: ended > 0 ? succeeded.length / ended : null,
		medianDurationMs: median(succeeded.map(durationOf).filter((duration) => duration >= 0)),
	};
}

const durationOf = ({ durationMs, startedAt, finishedAt }: Run): number =>
	typeof durationMs === 'number'
		? durationMs
		: Date.parse(String(finishedAt)) - Date.parse(String(startedAt));

export function median(values: number[]): number | null {
	if (values.length === 0) return null;
	const sorted = [...values].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
