import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Claims, DeliveryClaims } from '../../nodes/Maxun/trigger/state/claims';

const START = Date.parse('2026-05-01T10:00:00.000Z');
const MINUTE = 60_000;

describe('claims', () => {
	it('are taken once until they are released', () => {
		const claims = new Claims();
		expect(claims.take('a', 5)).toBe(true);
		expect(claims.take('a')).toBe(false);
		expect(claims.earliestEnd).toBe(5);
		claims.release('a');
		expect(claims.earliestEnd).toBe(Infinity);
		expect(claims.take('a')).toBe(true);
		expect(claims.earliestEnd).toBe(0);
		claims.setEnd('a', 7);
		expect(claims.earliestEnd).toBe(7);
	});

	it('are valid during the work, and for an hour after n8n got the run', () => {
		vi.useFakeTimers({ toFake: ['Date'], now: START });
		onTestFinished(() => void vi.useRealTimers());
		const claims = new Claims();
		claims.take('a', 5);
		vi.setSystemTime(START + 600 * MINUTE);
		expect(claims.take('a')).toBe(false);
		claims.handOver('a');
		vi.setSystemTime(START + 659 * MINUTE);
		expect(claims.take('a')).toBe(false);
		expect(claims.earliestEnd).toBe(5);
		vi.setSystemTime(START + 660 * MINUTE);
		expect(claims.earliestEnd).toBe(Infinity);
		expect(claims.take('a')).toBe(true);
	});
});

describe('the claims of a batch', () => {
	it('tell others whether the run was processed', async () => {
		const claims = new Claims();
		const batch = new DeliveryClaims(claims);
		for (const id of ['stored', 'failed', 'left']) batch.take(id);
		const outcomes = ['stored', 'failed', 'left', 'unclaimed'].map(
			async (id) => await claims.outcomeOf(id),
		);
		batch.handOver(['stored'])(true);
		batch.handOver(['failed'])(false);
		batch.releaseAll();
		expect(await Promise.all(outcomes)).toEqual([true, false, false, false]);
	});

	it('are released with it, except those that were handed over to n8n', () => {
		const claims = new Claims();
		const delivery = new DeliveryClaims(claims);
		expect(['kept', 'left', 'kept'].map((id) => delivery.take(id))).toEqual([true, true, false]);
		const release = delivery.handOver(['kept']);
		delivery.releaseAll();
		expect(claims.take('left')).toBe(true);
		expect(claims.take('kept')).toBe(false);
		release(true);
		expect(claims.take('kept')).toBe(true);
	});

	it('are released once after a handover, so that others may claim the run afterwards', () => {
		const claims = new Claims();
		const delivery = new DeliveryClaims(claims);
		delivery.take('a');
		const release = delivery.handOver(['a']);
		release(false);
		expect(claims.take('a')).toBe(true);
		release(false);
		expect(claims.take('a')).toBe(false);
	});
});
