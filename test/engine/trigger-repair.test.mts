import type { IDataObject } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { TriggerHost } from '../helpers/engine/index.mts';
import { useClock } from './support/clock.mts';
import { DESK_LIST, DESKS, PAGES, useDesks } from './support/desks.mts';
import { announce, useTriggers } from './support/triggers.mts';
import { warnings } from './support/warnings.mts';

/** A watched page whose robot no longer finds a column. */

const { sandbox, triggers } = useTriggers({ settings: { runSeconds: 0.05 } });
const { url, show } = useDesks();
const later = useClock();

const Listed = z.array(z.object({ id: z.string(), robotName: z.string().nullish() }));

let made = 0;
/** A published trigger after a good check, and its robot. */
async function watched(parameters: IDataObject = {}, pollOnly = true) {
	const given = {
		...{ watch: 'page', url: url(), runEvery: 1, runEveryUnit: 'WEEKS', what: 'rows' },
		...{ specifyFields: 'fields', lists: { values: [DESK_LIST] } },
		...{ events: ['run_changed'], keyFields: ['Name'], ...parameters },
		options: { pollOnly, repairSelectors: true },
	};
	const host = await triggers.activeHost([], given, { workflowId: `repair-${++made}` });
	const { body } = await sandbox.client().get(`/robots?q=repair-${made}&limit=1`);
	const [{ id: robotId = '' } = {}] = Listed.parse(body.data);
	await checked(host, robotId);
	return { host, robotId };
}

async function checked(host: TriggerHost, robotId: string): Promise<IDataObject[]> {
	later(2);
	await sandbox.owner.run(robotId);
	return await polled(host);
}

async function polled(host: TriggerHost): Promise<IDataObject[]> {
	later(2);
	return ((await host.poll())?.emitted[0] ?? []).map(({ json }) => json);
}

const runsOf = async (robotId: string) =>
	Listed.parse((await sandbox.owner.get(`/robots/${robotId}/runs`)).body.data);

const copies = async () =>
	Listed.parse((await sandbox.owner.get('/robots?q=n8n%20repair&limit=100')).body.data);

/** Whether everything that a repair needed is gone. */
const repaired = async (robotId: string, runs: number) =>
	await expect
		.poll(async () => [(await runsOf(robotId)).length, await copies()], {
			timeout: 20_000,
		})
		.toEqual([runs, []]);

it('is repaired once, and the redesign counts as no change', async () => {
	const told = warnings();
	const { host, robotId } = await watched();
	show(PAGES.new);
	expect(await checked(host, robotId)).toEqual([]);
	await repaired(robotId, 3);
	expect(told.join('\n')).toMatch(
		/The page has changed\. 'Price' is now read with `[^`]+` \(before: `\.price`\)/,
	);
	expect([await polled(host), await polled(host)]).toEqual([[], []]);
	show(PAGES.new.replace('$149.00', '$99.00'));
	expect(await checked(host, robotId)).toMatchObject([
		{ Name: 'Walnut desk', Price: '$99.00', before: { Price: '$149.00' } },
	]);
	expect(await runsOf(robotId)).toHaveLength(4);
});

it('tells so in a hint of the next execution', async () => {
	const { host, robotId } = await watched({ events: ['run_completed'], output: 'rows' });
	show(PAGES.new);
	expect(await checked(host, robotId)).toEqual([]);
	await repaired(robotId, 3);
	const proposed: unknown[] = [];
	const emitted = async () => {
		later(2);
		const found = await host.poll();
		proposed.push(found?.proposed);
		return found?.emitted[0]?.map(({ json }) => json);
	};
	// The run after the repair may still be active.
	await expect
		.poll(emitted, { timeout: 20_000 })
		.toMatchObject(DESKS.map(({ name, price }) => ({ Name: name, Price: price })));
	expect(JSON.stringify(proposed)).toContain('The page has changed');
});

it('stays as it is if the page has no such values, and the page is not read again', async () => {
	const told = warnings();
	const { host, robotId } = await watched();
	show(PAGES.soldOut);
	expect(await checked(host, robotId)).toEqual([]);
	await expect.poll(() => told.join('\n'), { timeout: 20_000 }).toContain('was not repaired');
	await repaired(robotId, 2);
	await expect.poll(async () => await polled(host), { timeout: 20_000 }).toHaveLength(DESKS.length);
	await sandbox.control.clear();
	expect(await checked(host, robotId)).toEqual([]);
	expect((await sandbox.lines()).filter((line) => line.includes('duplicate'))).toEqual([]);
});

it('is not started after the workflow was unpublished', async () => {
	const told = warnings();
	const { host, robotId } = await watched();
	show(PAGES.new);
	await checked(host, robotId);
	await expect.poll(copies, { timeout: 20_000 }).not.toEqual([]);
	await host.deactivate();
	await expect.poll(() => told.join('\n'), { timeout: 20_000 }).toContain('The page has changed');
	await sleep(500);
	expect(await runsOf(robotId)).toHaveLength(2);
});

it('is repaired by a poll after an event', async () => {
	const { host, robotId } = await watched({}, false);
	show(PAGES.new);
	later(2);
	const { id } = await sandbox.owner.run(robotId);
	await expect.poll(() => host.deliveries.length).toBeGreaterThan(0);
	expect(await announce(host, robotId, id)).toBe(503);
	expect(await polled(host)).toEqual([]);
	await repaired(robotId, 3);
});
