import { ObservableObject, type IDataObject, type INode } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import type { StateStore } from '../../nodes/Maxun/trigger/state/staticData';
import { TriggerState } from '../../nodes/Maxun/trigger/state/triggerState';

const run = (id: string, minutes: number) => ({
	id,
	robotId: 'robot',
	finishedAt: new Date(Date.parse('2026-05-01T10:00:00.000Z') + minutes * 60_000).toISOString(),
});

const node: INode = {
	id: 'node',
	name: 'Maxun Trigger',
	type: 'maxunTrigger',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** Static data as n8n passes it to nodes. */
function storeOf(data: IDataObject = {}, shared: IDataObject = {}): StateStore {
	const [own, common] = [data, shared].map((part) => ObservableObject.create(part));
	return { node, staticData: () => own ?? {}, workflowData: () => common ?? {} };
}

/** The same data in another call, which gets a copy. */
const reloaded = ({ staticData, workflowData }: StateStore): StateStore =>
	storeOf(copyOf(staticData()), copyOf(workflowData()));

const copyOf = (data: IDataObject): IDataObject => JSON.parse(JSON.stringify(data));

describe('the state of a trigger', () => {
	it('writes only what has changed, and reads back what it wrote', () => {
		const state = new TriggerState();
		const secret = state.secrets.create('trigger', () => '0'.repeat(64));
		state.webhooks = { robot: 'webhook' };
		state.ledger.markProcessed(run('a', 1));
		const store = storeOf();
		state.save(store);
		expect(store.staticData().__dataChanged).toBe(true);
		const other = reloaded(store);
		const copy = new TriggerState().load(other);
		copy.save(other);
		for (const data of [other.staticData(), other.workflowData()])
			expect(data.__dataChanged).toBe(false);
		expect(copy.webhooks).toEqual({ robot: 'webhook' });
		expect(copy.secrets.accepts(secret)).toBe(true);
		expect(copy.ledger.isMarked('a')).toBe(true);
	});

	it.each([{}, { secrets: 5, webhooks: 'x', ledger: { since: 'y', from: [], seen: 1 } }])(
		'is empty if the saved data is invalid: %j',
		(data) => {
			const state = new TriggerState().load(storeOf(data));
			expect(state.webhooks).toEqual({});
			expect(state.secrets.toSaved()).toEqual({});
		},
	);

	it('never restores a robot that is no longer watched, in a process that does not register', () => {
		const registrar = new TriggerState();
		const other = new TriggerState();
		const store = storeOf();
		registrar.becomeRegistrar(store);
		registrar.webhooks = { first: 'a' };
		registrar.ledger.watch('first', 1);
		registrar.save(store);
		other.load(store);
		registrar.webhooks = { second: 'b' };
		registrar.ledger.watchOnly([]);
		registrar.ledger.watch('second', 2);
		registrar.save(store);
		other.load(store).ledger.markProcessed(run('of the second', 3));
		other.save(store);
		expect(store.staticData()).toMatchObject({
			webhooks: { second: 'b' },
			ledger: { from: { second: 2 } },
		});
		expect(registrar.load(store).webhooks).toEqual({ second: 'b' });
		expect(registrar.ledger.isWatched('first')).toBe(false);
		expect(registrar.ledger.isMarked('of the second')).toBe(true);
	});

	it('takes over the robots of another process that has registered the trigger since', () => {
		const store = storeOf();
		const register = (robotIds: string[]) => {
			const state = new TriggerState().load(store);
			state.becomeRegistrar(store);
			state.secrets.create('trigger', () => '0'.repeat(64));
			for (const id of robotIds) state.ledger.watch(id, 1);
			state.webhooks = Object.fromEntries(robotIds.map((id) => [id, 'a']));
			state.save(store);
			return state;
		};
		const former = register(['first']);
		register(['first', 'second']);
		former.load(store).save(store);
		expect(store.staticData()).toMatchObject({
			webhooks: { first: 'a', second: 'a' },
			ledger: { from: { first: 1, second: 1 } },
		});
	});

	it('allows at most twelve catch-ups a minute', () => {
		const state = new TriggerState();
		const allowed = Array.from({ length: 20 }, () => state.mayCatchUp());
		expect(allowed.filter(Boolean)).toHaveLength(12);
	});

	it('says when the next catch-up is allowed', () => {
		const state = new TriggerState();
		expect(state.catchUpDelay()).toBe(0);
		for (let count = 0; count < 12; count++) state.mayCatchUp();
		expect(state.catchUpDelay()).toBeGreaterThan(59_000);
		expect(state.catchUpDelay()).toBeLessThanOrEqual(60_000);
	});
});
