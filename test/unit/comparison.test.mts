import { describe, expect, it } from 'vitest';
import { runBefore } from '../../nodes/Maxun/results/comparison';
import type { Run } from '../../nodes/Maxun/servers/entities';

const ROWS = { listData: [{ A: 1 }] };

/** A server on which a robot has these runs, newest first. */
const serverWith = (list: Run[]) => ({
	list: async () => await Promise.resolve(list),
	get: async (id: string) => {
		const run = list.find((entry) => entry.id === id);
		if (!run) throw new Error(id);
		return await Promise.resolve(run);
	},
});

const runOn = (day: number, more: object = {}): Run => ({
	id: `run${day}`,
	status: 'success',
	startedAt: `2026-11-${day}T10:00:00.000Z`,
	data: ROWS,
	...more,
});

describe('the previous run', () => {
	it.each([
		['in a German form', (day: number) => `${day}.11.2026, 10:00:00`],
		['in the form of Maxun Cloud', (day: number) => `2026-11-${day}T10:00:00.000Z`],
	])('is found if the dates are %s', async (_, date) => {
		const list = [23, 22, 21].map((day) => runOn(day, { startedAt: date(day) }));
		const middle = list[1] ?? runOn(22);
		expect((await runBefore(serverWith(list), 'robot', middle))?.run.id).toBe('run21');
	});

	it('is complete and has data', async () => {
		const list = [
			runOn(24),
			runOn(23, { data: {} }),
			runOn(22, { isPartial: true }),
			runOn(21, { data: { crawlData: [{ error: 'blocked' }] } }),
			runOn(20),
		];
		expect((await runBefore(serverWith(list), 'robot', runOn(24)))?.run.id).toBe('run20');
		expect(await runBefore(serverWith(list.slice(0, 4)), 'robot', runOn(24))).toBeUndefined();
	});
});
