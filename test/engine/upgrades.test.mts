import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SIGNS_URLS } from '../helpers/engine/execution-data.mts';
import { freePort } from '../host/ports.mts';
import { resetTime, setTime } from '../upgrades/clock.mts';
import { outcomeOf, restore, SavedExecution } from '../upgrades/executions.mts';
import { effectOf, QUICK, SavedOperations, SERVERS } from '../upgrades/operations.mts';
import { allParameters } from '../upgrades/parameters.mts';
import { ORIGINS, readText, RELEASED, SavedSandbox } from '../upgrades/release.mts';
import { SavedTrigger, startTrigger } from '../upgrades/triggers.mts';
import { runIdsOf } from './support/triggers.mts';

const MINUTE = 60_000;

/** When all runs have ended, in milliseconds after the recording. */
const LATER = 131 * MINUTE;

const without = (lines: string[], others: string[]) =>
	lines.filter((line) => !others.includes(line));

/** Saved requests in this n8n version's format. Older versions don't sign resume URLs. */
const inThisN8n = <T,>(saved: T): T =>
	SIGNS_URLS ? saved : JSON.parse(JSON.stringify(saved).replace(/signature=a{64}&/g, ''));

it('the states of at least one version are recorded', () => expect(RELEASED).not.toEqual([]));

describe.each(RELEASED)('what version %s has saved', (version) => {
	const read = <S extends z.ZodTypeAny>(name: string, schema: S): z.output<S> =>
		schema.parse(JSON.parse(readText(version, name)));

	it('every parameter still exists, with the same default and values', async () => {
		const lines = read('parameters', z.array(z.string()));
		expect(lines.length).toBeGreaterThan(500);
		expect(without(lines, await allParameters())).toEqual([]);
	});

	describe.each(SERVERS)('nodes for the server %s', (server) => {
		const { at, saved } = read('operations', SavedOperations);
		const state = readText(version, 'operations.sandbox');
		let sandbox: SavedSandbox;

		beforeAll(async () => {
			setTime(at + MINUTE);
			sandbox = await SavedSandbox.create();
			await sandbox.begin({ ...QUICK, slots: 0 }, state);
		});
		afterAll(async () => {
			await sandbox.remove();
			resetTime();
		});

		it.each(saved.filter((entry) => entry.server === server))(
			'$name does the same, and returns at least the same fields',
			async (entry) => {
				const { changes, count, fields } = await effectOf(sandbox, entry, state);
				expect(changes).toEqual(entry.effect.changes);
				expect(count).toBe(entry.effect.count);
				expect(without(entry.effect.fields, fields)).toEqual([]);
			},
		);
	});

	describe('paused executions', () => {
		const executions = read('executions', z.record(SavedExecution));
		const states = read('executions.sandbox', z.record(z.unknown()));
		afterEach(resetTime);

		it.each(Object.entries(executions))('resume and complete: %s', async (name, execution) => {
			setTime(execution.at + MINUTE);
			const state = JSON.stringify(states[name]);
			const restored = await restore(execution, state);
			const { changes, outputs, fields } = await outcomeOf(restored, state).finally(restored.close);
			expect(changes).toEqual(inThisN8n(execution.outcome.changes));
			expect(outputs).toEqual(execution.outcome.outputs);
			expect(without(execution.outcome.fields, fields)).toEqual([]);
		});
	});

	describe('static data', () => {
		let sandbox: SavedSandbox;
		afterEach(async () => {
			await sandbox.remove();
			resetTime();
		});

		it.each(['Maxun', 'Renamed'])(
			'the trigger keeps its webhook, loses no run and emits none again as a node with the name %s',
			async (name) => {
				sandbox = await SavedSandbox.create();
				const port = await freePort();
				const located = (file: string) =>
					readText(version, file)
						.replaceAll(ORIGINS.n8n, `http://127.0.0.1:${port}`)
						.replaceAll(ORIGINS.sandbox, sandbox.url);
				const saved = SavedTrigger.parse(JSON.parse(located('trigger')));
				setTime(saved.at + LATER);
				const host = await startTrigger(sandbox, saved, { name }, port);
				await sandbox.begin({}, located('trigger.sandbox'));
				host.reopen();
				const { id } = await sandbox.owner.run(saved.robotId);
				await host.activate('init');
				const expected = [...saved.missed, id];
				expect(runIdsOf(await host.waitForItems(expected.length)).sort()).toEqual(expected.sort());
				for (const runId of saved.processed) await sandbox.control.repeatDeliveries(runId);
				await host.waitForDeliveries(host.deliveries.length + saved.processed.length);
				expect(runIdsOf(host.emitted).sort()).toEqual(expected);
				await host.deactivate();
				expect(await sandbox.owner.webhooks(saved.robotId)).toEqual([]);
				await host.close();
			},
		);
	});
});
