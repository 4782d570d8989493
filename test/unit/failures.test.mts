import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failures } from '../../nodes/Maxun/trigger/state/failures';
import { markOf } from '../../nodes/Maxun/trigger/state/ledger';

const START = Date.parse('2026-05-01T10:00:00.000Z');
const MINUTE = 60_000;

describe('failures', () => {
	beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: START }));
	afterEach(() => void vi.useRealTimers());

	it('expire half an hour after the first one, even after a restart', () => {
		const failures = new Failures();
		expect([failures.add('a'), failures.add('a')]).toEqual([true, false]);
		vi.setSystemTime(START + 20 * MINUTE);
		const copy = new Failures();
		copy.merge(failures.toSaved());
		copy.add('a');
		expect(copy.isExpired('a')).toBe(false);
		vi.setSystemTime(START + 30 * MINUTE);
		expect(['a', 'b'].map((id) => copy.isExpired(id))).toEqual([true, false]);
	});

	it('count from now if a clock was ahead when they were saved', () => {
		const failures = new Failures();
		failures.merge({ [markOf('a')]: START + 600 * MINUTE });
		vi.setSystemTime(START + 30 * MINUTE);
		expect(failures.isExpired('a')).toBe(true);
	});

	it('are saved for the last thousand runs', () => {
		const failures = new Failures();
		for (let index = 0; index < 1500; index++) failures.add(`run-${index}`);
		expect(Object.keys(failures.toSaved())).toHaveLength(1000);
		const kept = ['run-499', 'run-1499'].map(markOf);
		failures.keepIf((mark) => kept.includes(mark));
		expect(Object.keys(failures.toSaved())).toEqual([markOf('run-1499')]);
	});

	it('are forgotten after a day', () => {
		const failures = new Failures();
		failures.add('a');
		vi.setSystemTime(START + 25 * 60 * MINUTE);
		const restarted = new Failures();
		restarted.merge(failures.toSaved());
		expect(restarted.has('a')).toBe(false);
	});
});
