import { describe, expect, it } from 'vitest';
import { ALL_ROBOTS, Ledger, SavedLedger } from '../../nodes/Maxun/trigger/state/ledger';

const START = Date.parse('2026-05-01T10:00:00.000Z');
const MINUTE = 60_000;

const run = (id: string, minutes: number, robotId = 'robot') => ({
	id,
	robotId,
	finishedAt: new Date(START + minutes * MINUTE).toISOString(),
});

const reloaded = (ledger: Ledger) => {
	const copy = new Ledger();
	copy.merge(JSON.parse(JSON.stringify(ledger.toSaved())));
	return copy;
};

describe('a ledger', () => {
	it('counts runs as processed that ended before their robot was watched', () => {
		const ledger = new Ledger();
		ledger.watch('robot', START);
		ledger.watch('other', START + 10 * MINUTE);
		expect(ledger.isProcessed(run('a', 0))).toBe(true);
		expect(ledger.isProcessed(run('b', 1))).toBe(false);
		expect(ledger.isProcessed(run('c', 1, 'other'))).toBe(true);
		expect(ledger.unprocessedSince).toBe(START);
	});

	it('uses the start for all robots if a robot has none', () => {
		const ledger = new Ledger();
		ledger.watch(ALL_ROBOTS, START);
		expect(ledger.isProcessed(run('a', 0, 'any'))).toBe(true);
		expect(ledger.isProcessed(run('b', 1, 'any'))).toBe(false);
	});

	it('is read from static data, to which n8n adds a hidden field', () => {
		const ledger = new Ledger();
		ledger.watch('robot', START);
		ledger.markProcessed(run('a', 2));
		const saved = ledger.toSaved();
		for (const data of [saved, saved.from, saved.seen]) {
			Object.defineProperty(data, '__dataChanged', { value: false });
		}
		expect(SavedLedger.parse(saved)).toEqual(ledger.toSaved());
	});

	it('returns to a saved copy, and the hint is outdated only if the copy has other robots', () => {
		const ledger = new Ledger();
		ledger.watch('robot', START);
		ledger.markProcessed(run('a', 2));
		const saved = ledger.toSaved();
		ledger.hint = { since: START, at: START };
		ledger.watch('other', START);
		ledger.hint = { since: START, at: START };
		ledger.markProcessed(run('b', 3));
		ledger.advance(START + 4 * MINUTE);
		ledger.restore(saved);
		expect(ledger.toSaved()).toEqual({ ...saved, start: START });
		expect(ledger.hint?.at).toBe(START);
		ledger.watchOnly([]);
		ledger.restore(saved);
		expect(ledger.hint?.at).toBe(0);
	});

	it('takes over the start of a later search of another process, but none of an earlier one', () => {
		const ledger = new Ledger();
		const saved = (start: number) => ({ since: 0, from: {}, seen: {}, start });
		ledger.merge(saved(START));
		expect(ledger.hint).toEqual({ since: START, at: 0 });
		ledger.hint = { since: START + MINUTE, at: START };
		ledger.merge(saved(START));
		expect(ledger.hint).toEqual({ since: START + MINUTE, at: START });
		ledger.merge(saved(START + 2 * MINUTE));
		expect(ledger.toSaved().start).toBe(START + 2 * MINUTE);
	});

	it('marks single runs, even those without an end time', () => {
		const ledger = new Ledger();
		ledger.markProcessed(run('a', 5));
		ledger.markProcessed({ id: 'b', finishedAt: '' });
		expect(['a', 'b', 'c'].map((id) => ledger.isMarked(id))).toEqual([true, true, false]);
		expect(ledger.isProcessed({ id: 'c', finishedAt: null })).toBe(false);
	});

	it('deletes single runs only when all runs of their minute are processed', () => {
		const ledger = new Ledger();
		ledger.markProcessed(run('a', 5));
		ledger.advance(START + 5 * MINUTE);
		expect(ledger.isMarked('a')).toBe(true);
		ledger.advance(START + 6 * MINUTE);
		expect(ledger.isMarked('a')).toBe(false);
		expect(ledger.isProcessed(run('a', 5))).toBe(true);
		ledger.advance(START);
		expect(ledger.isProcessed(run('b', 4))).toBe(true);
	});

	it('is the same after a restart', () => {
		const ledger = new Ledger();
		ledger.watch('robot', START);
		for (let index = 0; index < 300; index++) ledger.markProcessed(run(`run-${index}`, index / 60));
		const copy = reloaded(ledger);
		expect(copy.toSaved()).toEqual(ledger.toSaved());
		for (let index = 0; index < 300; index++) expect(copy.isMarked(`run-${index}`)).toBe(true);
	});

	it('has room for one run per second for as long as a list can be incomplete', () => {
		const ledger = new Ledger();
		const count = 210 * 60;
		for (let index = 0; index <= count; index++) {
			ledger.markProcessed(run(`run-${index}`, index / 60));
		}
		expect(JSON.stringify(ledger.toSaved()).length).toBeLessThan(110_000);
		const copy = reloaded(ledger);
		expect(copy.isMarked('run-0')).toBe(false);
		for (let index = 1; index <= count; index++) expect(copy.isMarked(`run-${index}`)).toBe(true);
	});

	it('uses the start of a run without an end, and ignores a time zone that is set later', () => {
		const ledger = new Ledger();
		ledger.watch('robot', START);
		const times = { startedAt: new Date(START + MINUTE).toISOString(), finishedAt: null };
		expect(ledger.isProcessed({ id: 'a', robotId: 'robot', ...times })).toBe(false);
		const finishedAtLocal = '5/1/2026, 10:01:00 AM';
		for (const finishedAt of [
			finishedAtLocal,
			'2026-05-01T02:01:00.000Z',
			'2026-05-01T18:01:00.000Z',
		]) {
			expect(ledger.isProcessed({ id: 'b', robotId: 'robot', finishedAt, finishedAtLocal })).toBe(
				false,
			);
			const earlier = { finishedAt, finishedAtLocal: '5/1/2026, 9:59:00 AM' };
			expect(ledger.isProcessed({ id: 'c', robotId: 'robot', ...earlier })).toBe(true);
		}
	});

	it('contains everything from both copies after a merge', () => {
		const [one, two] = [new Ledger(), new Ledger()];
		one.markProcessed(run('a', 1));
		two.markProcessed(run('b', 2));
		two.advance(START);
		one.merge(two.toSaved());
		expect(['a', 'b'].map((id) => one.isMarked(id))).toEqual([true, true]);
		expect(one.isProcessed(run('c', 0))).toBe(true);
	});
});
