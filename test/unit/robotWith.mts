import type { IDataObject } from 'n8n-workflow';
import { runBefore } from '../../nodes/Maxun/results/baseline';
import { capturedOf } from '../../nodes/Maxun/results/captured';
import {
	changesBetween,
	withRunsBefore,
	type ComparisonSettings,
} from '../../nodes/Maxun/results/comparison';
import type { Run } from '../../nodes/Maxun/servers/entities';

const DAY = 24 * 3_600_000;
const NONE: Run = { id: '', status: '' };

/** A robot that captured this data, in one run a day. */
export function robotWith(data: IDataObject[]) {
	const all = data.map(
		(own, day): Run => ({
			...{ id: String(day), status: 'success', data: own },
			startedAt: new Date(Date.UTC(2026, 0, 1) + day * DAY).toISOString(),
		}),
	);
	const reads: string[] = [];
	const runs = {
		list: async (_: string, { until }: { until?: string } = {}) =>
			await Promise.resolve(
				all
					.filter(({ startedAt }) => !until || String(startedAt) <= until)
					.slice(-21)
					.reverse(),
			),
		get: async (id: string) => {
			reads.push(id);
			return await Promise.resolve(all[Number(id)] ?? NONE);
		},
	};
	/** The changes of a day's run, its hints, and the runs that were read after the previous run. */
	const check = async (day: number, settings: ComparisonSettings) => {
		const hints: string[] = [];
		const later = capturedOf(all[day] ?? NONE);
		const before = await runBefore(runs, 'robot', later, settings);
		reads.length = 0;
		if (!before) return { changes: [], hints, reads };
		const both = await withRunsBefore(runs, 'robot', [before, later], settings);
		const rest = async () => await Promise.resolve();
		const hint = (...given: unknown[]) => void hints.push(given.join(' '));
		return { changes: await changesBetween(...both, settings, rest, hint), hints, reads };
	};
	return { check };
}
