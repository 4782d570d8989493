import { expect, it } from 'vitest';
import { idBefore } from '../../nodes/Maxun/results/compareRuns';

it.each([
	['in a German form', (day: number) => `${day}.11.2026, 10:00:00`],
	['in the form of Maxun Cloud', (day: number) => `2026-11-${day}T10:00:00.000Z`],
])('the run before another one is found by dates %s', async (_, date) => {
	const [latest, middle, first] = [23, 22, 21].map((day) => ({
		id: `run${day}`,
		status: 'success',
		startedAt: date(day),
	}));
	const runs = { list: async () => await Promise.resolve([latest, middle, first]) };
	expect(await idBefore(runs, 'robot', middle)).toBe('run21');
});
