import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Claims } from '../../nodes/Maxun/events/claims';
import { Failures } from '../../nodes/Maxun/events/failures';
import { ALL_ROBOTS, Ledger } from '../../nodes/Maxun/events/ledger';
import { Memory } from '../../nodes/Maxun/events/memory';

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
	test('settles what ended before the watch, by robot', () => {
		const ledger = new Ledger();
		ledger.watch('robot', START);
		ledger.watch('other', START + 10 * MINUTE);
		expect(ledger.isSettled(run('a', 0))).toBe(true);
		expect(ledger.isSettled(run('b', 1))).toBe(false);
		expect(ledger.isSettled(run('c', 1, 'other'))).toBe(true);
		expect(ledger.horizon).toBe(START);
	});

	test('settles by the start for all robots where there is no other', () => {
		const ledger = new Ledger();
		ledger.watch(ALL_ROBOTS, START);
		expect(ledger.isSettled(run('a', 0, 'any'))).toBe(true);
		expect(ledger.isSettled(run('b', 1, 'any'))).toBe(false);
	});

	test('settles single runs, also where they do not say when they ended', () => {
		const ledger = new Ledger();
		ledger.settle(run('a', 5));
		ledger.settle({ id: 'b', finishedAt: '' });
		expect(['a', 'b', 'c'].map((id) => ledger.knows(id))).toEqual([true, true, false]);
		expect(ledger.isSettled({ id: 'c', finishedAt: null })).toBe(false);
	});

	test('forgets single runs only when all of their time is settled', () => {
		const ledger = new Ledger();
		ledger.settle(run('a', 5));
		ledger.advance(START + 5 * MINUTE);
		expect(ledger.knows('a')).toBe(true);
		ledger.advance(START + 6 * MINUTE);
		expect(ledger.knows('a')).toBe(false);
		expect(ledger.isSettled(run('a', 5))).toBe(true);
		ledger.advance(START);
		expect(ledger.isSettled(run('b', 4))).toBe(true);
	});

	test('is the same after a restart', () => {
		const ledger = new Ledger();
		ledger.watch('robot', START);
		for (let index = 0; index < 300; index++) ledger.settle(run(`run-${index}`, index / 60));
		const copy = reloaded(ledger);
		expect(copy.toSaved()).toEqual(ledger.toSaved());
		for (let index = 0; index < 300; index++) expect(copy.knows(`run-${index}`)).toBe(true);
	});

	test('saves the last thousand runs in less than ten kilobytes', () => {
		const ledger = new Ledger();
		for (let index = 0; index < 5000; index++) ledger.settle(run(`run-${index}`, index / 100));
		expect(JSON.stringify(ledger.toSaved()).length).toBeLessThan(10_000);
		const copy = reloaded(ledger);
		expect(copy.knows('run-4999')).toBe(true);
		expect(copy.knows('run-4000')).toBe(true);
		expect(copy.knows('run-3999')).toBe(false);
		expect(ledger.knows('run-0')).toBe(true);
	});

	test('knows what either of two copies knows', () => {
		const [one, two] = [new Ledger(), new Ledger()];
		one.settle(run('a', 1));
		two.settle(run('b', 2));
		two.advance(START);
		one.merge(two.toSaved());
		expect(['a', 'b'].map((id) => one.knows(id))).toEqual([true, true]);
		expect(one.isSettled(run('c', 0))).toBe(true);
	});
});

describe('claims', () => {
	test('are taken once until they are released', () => {
		const claims = new Claims();
		expect(claims.take('a', 5)).toBe(true);
		expect(claims.take('a')).toBe(false);
		expect(claims.earliestEnd).toBe(5);
		claims.release('a');
		expect(claims.earliestEnd).toBe(Infinity);
		expect(claims.take('a')).toBe(true);
		expect(claims.earliestEnd).toBe(0);
		claims.learn('a', 7);
		expect(claims.earliestEnd).toBe(7);
	});

	test('hold as long as the work goes on, and an hour once n8n has the run', () => {
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

describe('failures', () => {
	beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: START }));
	afterEach(() => void vi.useRealTimers());

	test('are over half an hour after the first one, restarts included', () => {
		const failures = new Failures();
		expect([failures.note('a'), failures.note('a')]).toEqual([true, false]);
		vi.setSystemTime(START + 20 * MINUTE);
		const copy = new Failures();
		copy.merge(failures.toSaved());
		copy.note('a');
		expect(copy.isOver('a')).toBe(false);
		vi.setSystemTime(START + 30 * MINUTE);
		expect(['a', 'b'].map((id) => copy.isOver(id))).toEqual([true, false]);
	});

	test('of a clock that was ahead are of now', () => {
		const failures = new Failures();
		failures.merge({ a: START + 600 * MINUTE });
		vi.setSystemTime(START + 30 * MINUTE);
		expect(failures.isOver('a')).toBe(true);
	});

	test('are remembered of the last thousand runs', () => {
		const failures = new Failures();
		for (let index = 0; index < 1500; index++) failures.note(`run-${index}`);
		expect(Object.keys(failures.toSaved())).toHaveLength(1000);
		failures.keepOnly(['run-499', 'run-1499']);
		expect(Object.keys(failures.toSaved())).toEqual(['run-1499']);
	});
});

describe('a memory', () => {
	test('writes only what has changed, and reads back what it wrote', () => {
		const memory = new Memory();
		memory.secret = 'secret';
		memory.webhooks = { robot: 'webhook' };
		memory.ledger.settle(run('a', 1));
		const data = {};
		memory.save(data);
		const frozen = Object.freeze({ ...data });
		expect(() => memory.save(frozen)).not.toThrow();
		const copy = new Memory().load(JSON.parse(JSON.stringify(data)));
		expect(copy).toMatchObject({ secret: 'secret', webhooks: { robot: 'webhook' } });
		expect(copy.ledger.knows('a')).toBe(true);
	});

	test.each([{}, { secret: 5, webhooks: 'x', ledger: { since: 'y', from: [], seen: 1 } }])(
		'makes nothing of saved data that makes no sense',
		(data) => {
			const memory = new Memory().load(data);
			expect(memory).toMatchObject({ secret: '', webhooks: {} });
		},
	);

	test('of another process than the one that registers brings back no robot that is not watched any more', () => {
		const registrar = new Memory();
		registrar.isRegistrar = true;
		const other = new Memory();
		const data = {};
		registrar.webhooks = { first: 'a' };
		registrar.ledger.watch('first', 1);
		registrar.save(data);
		other.load(data);
		registrar.webhooks = { second: 'b' };
		registrar.ledger.watchOnly([]);
		registrar.ledger.watch('second', 2);
		registrar.save(data);
		other.load(data).ledger.settle(run('of the second', 3));
		other.save(data);
		expect(data).toMatchObject({ webhooks: { second: 'b' }, ledger: { from: { second: 2 } } });
		expect(registrar.load(data).webhooks).toEqual({ second: 'b' });
		expect(registrar.ledger.watches('first')).toBe(false);
		expect(registrar.ledger.knows('of the second')).toBe(true);
	});

	test('looks at the list of runs at most twelve times a minute', () => {
		const memory = new Memory();
		const allowed = Array.from({ length: 20 }, () => memory.mayCatchUp());
		expect(allowed.filter(Boolean)).toHaveLength(12);
	});
});
