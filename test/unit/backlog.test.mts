import { describe, expect, it } from 'vitest';
import { findBacklog } from '../../nodes/Maxun/trigger/backlog';
import { Ledger } from '../../nodes/Maxun/trigger/state/ledger';
import { fakeServer } from './fakeServer.mts';

const NOW = Date.now();
const MINUTE = 60_000;
const ago = (minutes: number) => new Date(NOW - minutes * MINUTE).toISOString();

/** Searches twice while a run is active. Returns from when on the two lists were. */
async function searchTwice(active: object, ledger = new Ledger()): Promise<unknown[]> {
	const sinces: unknown[] = [];
	const maxun = await fakeServer('cloud', async ({ query }) => {
		sinces.push(query?.since);
		const ended = { id: 'a', robotId: 'robot', status: 'success', startedAt: ago(5) };
		const data = [
			{ ...ended, finishedAt: ago(0) },
			{ id: 'b', robotId: 'robot', ...active },
		];
		return { body: { success: true, data } };
	});
	if (!ledger.isWatched('robot')) ledger.watch('robot', NOW - MINUTE);
	const connection = { maxun, warn: () => {}, warnOfMissing: () => {} };
	const criteria = { robotIds: ['robot'], onlyChanges: false, sources: [] };
	for (let search = 0; search < 2; search++) {
		await findBacklog(connection, ledger, { ...criteria, events: ['run_completed'] });
	}
	return sinces;
}

const FIRST = ago(6 * 60 + 1);

describe('a search', () => {
	it('begins an hour before the earliest active run, which may have waited less in the queue', async () => {
		const active = { status: 'running', startedAt: ago(10) };
		expect(await searchTwice(active)).toEqual([FIRST, ago(60 + 10)]);
	});

	it('reaches a day back at most, even if a run hangs', async () => {
		const active = { status: 'running', startedAt: ago(100 * 60) };
		expect(await searchTwice(active)).toEqual([FIRST, ago(25 * 60 + 1)]);
	});

	it('also lists runs of six hours while a queued run does not show its start', async () => {
		const queued = { status: 'queued', startedAt: null };
		expect(await searchTwice(queued)).toEqual([FIRST, FIRST]);
		const ledger = new Ledger();
		ledger.watch('robot', NOW - MINUTE);
		ledger.hint = { since: NOW - 20 * 60 * MINUTE, at: 0 };
		expect(await searchTwice(queued, ledger)).toEqual([ago(21 * 60), FIRST]);
	});
});
