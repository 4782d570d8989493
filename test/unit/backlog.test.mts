import { expect, it } from 'vitest';
import { findBacklog } from '../../nodes/Maxun/trigger/backlog';
import { Ledger } from '../../nodes/Maxun/trigger/state/ledger';
import { fakeServer } from './fakeServer.mts';

const NOW = Date.now();
const MINUTE = 60_000;
const ago = (minutes: number) => new Date(NOW - minutes * MINUTE).toISOString();

it('a search begins an hour before the earliest active run, which may have waited less in the queue', async () => {
	const sinces: unknown[] = [];
	const maxun = await fakeServer('cloud', async ({ query }) => {
		sinces.push(query?.since);
		const ended = { id: 'a', robotId: 'robot', status: 'success', startedAt: ago(5) };
		const active = { id: 'b', robotId: 'robot', status: 'running', startedAt: ago(10) };
		return { body: { success: true, data: [{ ...ended, finishedAt: ago(0) }, active] } };
	});
	const ledger = new Ledger();
	ledger.watch('robot', NOW - MINUTE);
	const connection = { maxun, warn: () => {}, warnOfMissing: () => {} };
	const criteria = { robotIds: ['robot'], onlyChanges: false, sources: [] };
	for (let search = 0; search < 2; search++) {
		await findBacklog(connection, ledger, { ...criteria, events: ['run_completed'] });
	}
	expect(sinces).toEqual([ago(6 * 60 + 1), ago(60 + 10)]);
});
