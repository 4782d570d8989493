import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { KEYS, TEAM_ID } from '../sandbox/index.mts';
import type { TriggerHost, TriggerOptions } from '../helpers/engine/index.mts';
import { locator } from '../helpers/parameters.mts';
import { randomFrom } from '../simulation/random.mts';
import { useClock } from './support/clock.mts';
import { useTriggers } from './support/triggers.mts';
import { warnings } from './support/warnings.mts';

/** A trigger that watches a page: its robot in Maxun, and the runs that start the workflow. */

const { sandbox, triggers } = useTriggers();
const later = useClock();
beforeEach(async () => {
	for (const { id } of await robots('n8n')) await sandbox.owner.delete(`/robots/${id}`);
	await priced(249);
});

const Robot = z.object({
	id: z.string(),
	name: z.string(),
	type: z.string(),
	url: z.string().nullish(),
	schedule: z.record(z.unknown()).nullable(),
});

const Failure = z.object({ message: z.string(), description: z.string().nullish() });

/** The triggers' robots, oldest first. */
async function robots(q = 'n8n watches', teamId?: string) {
	const { body } = await sandbox.client({ teamId }).get(`/robots?q=${q}&limit=100`);
	return z.array(Robot).parse(body.data).reverse();
}

const page = () => `${sandbox.siteUrl}/products`;
let made = 0;
/** A trigger in its own workflow. */
async function hostOf(
	{ options, ...parameters }: INodeParameters & { options?: INodeParameters } = {},
	setup: Partial<TriggerOptions> = {},
): Promise<TriggerHost> {
	const workflowId = `workflow-${++made}`;
	// No check is due during a test.
	const form = { watch: 'page', url: page(), runEvery: 1, runEveryUnit: 'WEEKS' };
	const events = ['run_changed'];
	const all = { ...form, events, ...parameters, options: { pollOnly: true, ...options } };
	return await triggers.host([], all, { workflowId, ...setup });
}

async function published(...given: Parameters<typeof hostOf>): Promise<TriggerHost> {
	const host = await hostOf(...given);
	await host.activate();
	return host;
}

const columns = {
	values: [
		{ name: 'Product', selector: '.name' },
		{ name: 'Price', selector: '.price' },
	],
};
const rows = (more: IDataObject = {}) => ({
	what: 'rows',
	specifyFields: 'fields',
	lists: { values: [{ rowSelector: 'li.product', columns, ...more }] },
});

/** One check of the page, as the schedule runs it. */
async function checked(host: TriggerHost): Promise<IDataObject[]> {
	const [robot] = await robots();
	later(2);
	await sandbox.owner.run(robot?.id ?? '');
	later(2);
	return ((await host.poll())?.emitted[0] ?? []).map(({ json }) => json);
}

const BY_EXAMPLE = {
	what: 'rows',
	examples: {
		values: [
			{ name: 'A', example: 'Walnut desk' },
			{ name: 'B', example: '$249.00' },
		],
	},
	keyFields: ['A'],
};

/** Requests that start a run. */
const STARTS = /^POST \/robots\/[^/]+\/runs?$/;

const runsOf = async (robotId = '') => (await sandbox.owner.get(`/robots/${robotId}/runs`)).list;

const priced = async (price: number) => await sandbox.control.price(1, price);

describe('publishing', () => {
	it.each([true, false])(
		'creates the robot and its schedule (hooks first: %s)',
		async (hooksFirst) => {
			await published({}, { hooksFirst });
			expect(await robots()).toMatchObject([
				{
					name: expect.stringMatching(
						/^n8n watches http:\/\/.*\/products for Engine test \(workflow-\d+ node \w{8} \w{8}\)$/,
					),
					type: 'scrape',
					url: page(),
					schedule: { runEvery: 1, runEveryUnit: 'WEEKS', timezone: 'Europe/Berlin' },
				},
			]);
		},
	);

	it('again with changes in the form uses a new robot, and the former one expires', async () => {
		const host = await published(rows());
		await checked(host);
		const [first] = await robots();
		await host.deactivate();
		expect(await robots()).toMatchObject([{ id: first?.id, schedule: null }]);
		const other = `${sandbox.siteUrl}/more`;
		const [name] = columns.values;
		host.edit({
			parameters: { url: other, runEveryUnit: 'DAYS', ...rows({ columns: { values: [name] } }) },
		});
		await host.activate();
		const [again, ...others] = await robots();
		expect(others).toEqual([]);
		expect(again).toMatchObject({ schedule: { runEveryUnit: 'DAYS' } });
		expect(again?.name).toContain('/more');
		const former = (await robots('n8n page until'))[0];
		expect(former).toMatchObject({ id: first?.id, schedule: null });
		host.edit({ parameters: { url: page(), ...rows() } });
		await host.deactivate();
		await host.activate();
		expect((await robots())[0]).toMatchObject({
			id: first?.id,
			schedule: { runEveryUnit: 'DAYS' },
		});
		expect(await runsOf(first?.id)).toHaveLength(1);
	});

	it('finds the rows by example once, and keeps their selectors', async () => {
		const host = await published(BY_EXAMPLE);
		const [robot, ...others] = await robots();
		expect(others).toEqual([]);
		await checked(host);
		await priced(1);
		expect(await checked(host)).toMatchObject([{ A: 'Walnut desk', B: '$1.00' }]);
		await host.deactivate();
		await host.activate();
		expect(await robots()).toMatchObject([{ id: robot?.id }]);
		const missing = { examples: { values: [{ name: 'A', example: 'Walnut bed' }] } };
		await sandbox.control.clear();
		await expect(published({ ...BY_EXAMPLE, ...missing })).rejects.toThrow(/does not contain.*'A'/);
		expect(await sandbox.count(STARTS)).toBe(1);
	});

	it('reads a page without its example at most once an hour', async () => {
		const host = await published(BY_EXAMPLE);
		await priced(1);
		const [robot] = await robots();
		await sandbox.owner.delete(`/robots/${robot?.id}`);
		await sandbox.control.clear();
		const failed: unknown[] = [];
		for (let minute = 0; minute < 180; minute += 5) {
			later(5);
			await host.poll().catch((error: unknown) => failed.push(error));
		}
		expect(failed).toEqual([
			expect.objectContaining({ message: expect.stringContaining('does not contain') }),
		]);
		expect(await sandbox.count(STARTS)).toBeLessThanOrEqual(4);
	});

	it('does not hold up a poll while Maxun reads the page', async () => {
		const host = await hostOf(BY_EXAMPLE);
		await sandbox.control.settings({ runSeconds: 3 });
		expect(await host.poll({ budget: 500 })).toBe(null);
		expect(await robots()).toEqual([]);
		await vi.waitFor(async () => expect(await robots()).toHaveLength(1), 15_000);
		await sandbox.control.clear();
		// Starts an execution without items, so that n8n saves the beginning of the watch.
		expect(await host.poll()).toMatchObject({ emitted: [[]] });
		expect(await sandbox.count(STARTS)).toBe(0);
	});

	it('tells with the next poll why reading the page has failed', async () => {
		const values = [{ name: 'A', example: 'Walnut bed' }];
		const host = await hostOf({ ...BY_EXAMPLE, examples: { values } });
		await sandbox.control.settings({ runSeconds: 1 });
		expect(await host.poll({ budget: 300 })).toBe(null);
		await sleep(5000);
		await expect(host.poll()).rejects.toThrow(/does not contain.*'A'/);
	});

	it('accepts a key with a dot in its name', async () => {
		const named = { values: [{ name: 'Product no.1', selector: '.name' }] };
		await published({ ...rows({ columns: named }), keyFields: ['Product no.1'] });
		expect(await robots()).toHaveLength(1);
	});

	it('lets polls only list runs, even if Maxun cannot reach n8n', async () => {
		const host = await published(
			{ options: { pollOnly: false } },
			{ origin: 'http://127.0.0.1:9' },
		);
		await sandbox.control.clear();
		later(2);
		await host.poll();
		expect(await sandbox.lines()).toEqual([expect.stringMatching(/^GET .*\/runs\?/)]);
	});

	it('a copy of the workflow with its data, or another trigger in it, creates its own robot', async () => {
		const workflowId = 'shared';
		const original = await published({}, { workflowId });
		const staticData = original.staticData.reloaded();
		const hosts = [
			original,
			await published({}, { workflowId, node: { id: 'other' } }),
			await published({}, { workflowId: 'copy', staticData, origin: original.origin }),
		];
		expect(new Set((await robots()).map(({ id }) => id)).size).toBe(3);
		await hosts[0]?.deactivate();
		expect((await robots()).filter(({ schedule }) => schedule)).toHaveLength(2);
	});

	it.each<[string, INodeParameters, RegExp]>([
		['no URL', { url: '' }, /'URL' is required/],
		['a URL that is none', { url: 'shop' }, /'URL' must be a valid URL/],
		['an interval of seconds', { runEvery: 1, runEveryUnit: 'SECONDS' }, /'Unit' must be one of/],
		[
			'a short interval',
			{ runEvery: 5, runEveryUnit: 'MINUTES' },
			/'Check Every' must be 15 or more/,
		],
		[
			'a long interval',
			{ runEvery: 2, runEveryUnit: 'MONTHS' },
			/'Check Every' must be 1 for months/,
		],
		['an interval that no schedule knows', { runEvery: 30, runEveryUnit: 'HOURS' }, /23 or less/],
		['no rows', { what: 'rows' }, /'Columns' is empty/],
		[
			'a key that is no column',
			{ ...rows(), keyFields: ['Produkt'] },
			/'Key Column Names or IDs' must contain columns.*'Product'.*'Produkt'/,
		],
		[
			'a condition on a column that does not exist',
			{
				...rows(),
				options: { onlyIf: { values: [{ condition: 'hasChanged', column: 'Prize' }] } },
			},
			/of condition 1 must contain columns.*'Product'.*'Prize'/,
		],
		[
			"a condition on a column of the page's text",
			{ options: { onlyIf: { values: [{ condition: 'contains', column: 'Price', value: 1 }] } } },
			/of condition 1 must be empty for 'Text of the Page'/,
		],
		[
			'a limit that is no number',
			{ options: { onlyIf: { values: [{ column: 'Price', value: 'cheap' }] } } },
			/'Value' of condition 1 must be a number/,
		],
		[
			'conditions that would have no effect',
			{
				events: ['run_changed', 'run_completed'],
				options: { onlyIf: { values: [{ condition: 'isNew' }] } },
			},
			/'Only If' requires changes/,
		],
		[
			'two rules for the same',
			{ options: { whatMatters: 'Prices', missingOnce: true } },
			/'What Matters' can't be combined/,
		],
		['no event', { events: [] }, /'Trigger On' must contain/],
	])('with %s fails and sends nothing', async (_, parameters, message) => {
		const host = await hostOf(parameters);
		const error = await host.activate().catch((thrown: unknown) => Failure.parse(thrown));
		expect(error?.message).toMatch(message);
		expect(error?.message).toMatch(/Correct the value in this node$/);
		// The editor shows both texts.
		expect(error?.description).toBeFalsy();
		expect(await sandbox.sent()).toEqual([]);
	});

	it.each<[string, INodeParameters, RegExp]>([
		[
			'a selector that matches nothing',
			rows({ rowSelector: 'li.none' }),
			/selector.*li\.none|'List 1'/s,
		],
		['a page that does not open', { ...rows(), url: 'http://127.0.0.1:9/' }, /could not open/],
	])('with %s fails and leaves no robot', async (_, parameters, message) => {
		const host = await hostOf(parameters);
		await expect(host.activate()).rejects.toThrow(message);
		expect(await sandbox.owner.get('/robots?q=n8n').then(({ body }) => body.data)).toEqual([]);
	});

	it.each<[string, object, RegExp]>([
		[
			'the plan allows no further robot',
			{
				path: '/robots',
				method: 'POST',
				status: 403,
				body: { success: false, error: 'Plan limit reached: 3 robots' },
			},
			/plan does not allow.*Delete what you don't need.*3 robots/,
		],
		[
			'the schedule is rejected',
			{
				path: 'schedule',
				method: 'PUT',
				status: 400,
				body: { success: false, error: 'No schedules today' },
			},
			/No schedules today/,
		],
		[
			'the response to the schedule is lost',
			{ path: 'schedule', method: 'PUT', kind: 'reset', before: false, times: 9 },
			/./,
		],
	])(
		'fails if %s, and leaves no schedule',
		async (_, fault, message) => {
			await sandbox.control.fault({ kind: 'status', times: 9, ...fault });
			const host = await hostOf();
			await expect(host.activate()).rejects.toThrow(message);
			await sandbox.control.clearFaults();
			expect((await robots()).filter(({ schedule }) => schedule)).toEqual([]);
		},
		60_000,
	);

	it('fails for rows if Maxun Cloud lacks their routes', async () => {
		await sandbox.control.settings({ hostedSdk: false });
		const host = await hostOf(rows());
		await expect(host.activate()).rejects.toThrow(/route|support|version/i);
		await published();
	});

	it('finds a robot whose creation got no response', async () => {
		await sandbox.control.fault({ kind: 'reset', path: '/robots/scrape', before: false });
		await published();
		expect(await robots()).toMatchObject([{ schedule: { runEvery: 1 } }]);
	});
});

describe('unpublishing', () => {
	it("with a member's key makes the schedule rare, and the log says so", async () => {
		const told = warnings();
		const credentials = sandbox.credentials({ apiKey: KEYS.member });
		const options = { teamId: locator(TEAM_ID), deleteRobot: true };
		const host = await published({ options }, { credentials });
		await host.deactivate();
		const [robot] = await robots('n8n page until', TEAM_ID);
		expect(robot?.schedule).toMatchObject({ runEveryUnit: 'MONTHS' });
		expect(told.join('\n')).toMatch(/once a month.*role/s);
		// n8n was killed while it published an edit.
		await host.restart();
		await host.poll();
		expect(await robots('n8n watches', TEAM_ID)).toMatchObject([
			{ id: robot?.id, schedule: { runEveryUnit: 'WEEKS' } },
		]);
	});

	it('lets the robot expire if the user wants that, and publishing takes it back', async () => {
		const host = await published({ options: { deleteRobot: true } });
		await checked(host);
		const [robot] = await robots();
		await host.deactivate();
		expect(await robots()).toEqual([]);
		expect(await robots('n8n page until')).toMatchObject([{ id: robot?.id, schedule: null }]);
		await host.activate();
		expect(await robots()).toMatchObject([{ id: robot?.id, schedule: { runEvery: 1 } }]);
		await priced(229);
		expect(await checked(host)).toMatchObject([{ change: 'changed' }]);
	});
});

describe('a copy of the database in another n8n instance', () => {
	it.each([false, true])(
		"never changes the original's robot (deletes robots: %s)",
		async (deleteRobot) => {
			const settings = { options: { deleteRobot } };
			const original = await published(settings, { workflowId: 'production' });
			const [robot] = await robots();
			const staticData = original.staticData.reloaded();
			const copy = await hostOf(settings, { workflowId: 'production', staticData });
			await copy.deactivate();
			expect(await robots()).toEqual([robot]);
			await copy.activate();
			expect(await robots()).toMatchObject([robot, { schedule: { runEvery: 1 } }]);
			await copy.deactivate();
			expect((await robots())[0]).toEqual(robot);
		},
	);

	it("never starts for checks of the original's robot, even if it polls before its hook", async () => {
		const settings = { events: ['run_completed'] };
		const original = await published(settings, { workflowId: 'production' });
		const [robot] = await robots();
		const staticData = original.staticData.reloaded();
		later(2);
		await sandbox.owner.run(robot?.id ?? '');
		later(2);
		const copy = await hostOf(settings, { workflowId: 'production', staticData });
		expect(await copy.poll()).toBeNull();
	});
});

describe('the watch goes on', () => {
	it('if an edit is published, with the same robot and its runs', async () => {
		const host = await published({ options: { deleteRobot: true } });
		await checked(host);
		const [robot] = await robots();
		await host.republish({ parameters: { runEveryUnit: 'DAYS' } });
		expect(await robots()).toMatchObject([{ id: robot?.id, schedule: { runEveryUnit: 'DAYS' } }]);
		await priced(209);
		expect(await checked(host)).toMatchObject([{ change: 'changed' }]);
	});

	it('if somebody removes the schedule, or the robot', async () => {
		const host = await published();
		const [robot] = await robots();
		await sandbox.owner.delete(`/robots/${robot?.id}/schedule`);
		later(56);
		await host.poll();
		expect(await robots()).toMatchObject([{ id: robot?.id, schedule: { runEvery: 1 } }]);
		await sandbox.owner.delete(`/robots/${robot?.id}`);
		later(2);
		await host.poll();
		await host.poll();
		const [other] = await robots();
		expect(other).toMatchObject({ schedule: { runEvery: 1 } });
		expect(other?.id).not.toBe(robot?.id);
		await checked(host);
		await priced(159);
		expect(await checked(host)).toMatchObject([{ change: 'changed' }]);
	});

	it('if n8n creates a deleted robot again before it polls (with durable cursors)', async () => {
		const host = await published({}, { durable: true });
		await host.poll();
		const [robot] = await robots();
		await sandbox.owner.delete(`/robots/${robot?.id}`);
		await host.deactivate();
		await host.hook('create');
		const [other] = await robots();
		for (const price of [249, 179]) {
			later(2);
			await priced(price);
			await sandbox.owner.run(other?.id ?? '');
		}
		later(2);
		expect((await host.poll())?.emitted[0]).toMatchObject([{ json: { change: 'changed' } }]);
	});

	it.each(['with', 'without'])(
		'if somebody deletes the robot while n8n is off, and n8n calls no hook when it starts (%s durable cursors)',
		async (withOrWithout) => {
			const setup = { durable: withOrWithout === 'with' };
			const host = await published({ options: { pollOnly: false } }, setup);
			await host.poll();
			const [robot] = await robots();
			await sandbox.owner.delete(`/robots/${robot?.id}`);
			await host.restart();
			for (const minutes of [2, 2, 2]) {
				later(minutes);
				await host.poll();
			}
			const [other] = await robots();
			expect(await triggers.webhooks(other?.id ?? '')).toMatchObject([{ active: true }]);
		},
	);

	it('if n8n 2 needs two attempts to publish', async () => {
		const host = await published();
		await host.hook('delete');
		await host.hook('create');
		await checked(host);
		await priced(149);
		expect(await checked(host)).toMatchObject([{ change: 'changed' }]);
	});

	it('and ends when the workflow is unpublished, even if n8n 1 polls during that and afterwards', async () => {
		const host = await published({}, { hooksFirst: true });
		const delay = { kind: 'delay', milliseconds: 200, path: 'schedule', method: 'DELETE' } as const;
		await sandbox.control.fault(delay);
		const unpublishing = host.deactivate();
		expect(await host.poll()).toBeNull();
		await unpublishing;
		expect(await host.poll()).toBeNull();
		expect(await robots()).toMatchObject([{ schedule: null }]);
	});

	it.each([
		['Maxun is off when the workflow is unpublished', false],
		['an edit can not be published, because Maxun is off', true],
	])('and ends a little later if %s', async (_, isEdit) => {
		const told = warnings();
		const host = await published();
		vi.useFakeTimers({ toFake: ['setTimeout'], shouldAdvanceTime: true });
		await sandbox.control.fault({ kind: 'status', status: 400, times: 99 });
		await host.deactivate();
		expect(told.join('\n')).toContain('Maxun may still check a page');
		// n8n may poll before it calls the hooks. If the poll fails, it calls none.
		if (isEdit) await expect(host.poll({ activation: 'update' })).rejects.toThrow();
		await sandbox.control.clearFaults();
		expect(await robots()).toMatchObject([{ schedule: { runEvery: 1 } }]);
		await vi.advanceTimersByTimeAsync(61_000);
		await expect.poll(robots).toMatchObject([{ schedule: null }]);
	});
});

describe('the workflow starts', () => {
	it('twice if the page changes twice', async () => {
		const host = await published({ ...rows(), keyFields: ['Product'] });
		expect(await checked(host)).toEqual([]);
		const starts: IDataObject[][] = [];
		for (const price of [249, 239, 239, 229]) {
			await priced(price);
			starts.push(await checked(host));
		}
		expect(starts.map((items) => items.length)).toEqual([0, 1, 0, 1]);
		expect(starts[3]).toMatchObject([
			{ change: 'changed', before: { Price: expect.stringContaining('239') } },
		]);
	});

	it('with the types of the columns', async () => {
		const price = { name: 'Price', selector: '.price', type: 'number' };
		const typed = { values: [columns.values[0] ?? {}, price] };
		const host = await published({ ...rows({ columns: typed }), keyFields: ['Product'] });
		await checked(host);
		await priced(239);
		expect(await checked(host)).toMatchObject([{ Price: 239, before: { Price: 249 } }]);
	});

	it("if Maxun finds that what matters has changed, with the prompt's latest text", async () => {
		const host = await published({ options: { whatMatters: 'Only prices' } });
		await checked(host);
		const [robot] = await robots();
		const monitoring = async () =>
			(await sandbox.owner.get(`/robots/${robot?.id}/monitoring`)).body.data;
		expect(await monitoring()).toMatchObject({
			compareRuns: true,
			monitoringPrompt: 'Only prices',
		});
		host.edit({ parameters: { options: { whatMatters: 'Only names', pollOnly: true } } });
		await host.deactivate();
		await host.activate();
		expect(await monitoring()).toMatchObject({ monitoringPrompt: 'Only names' });
		await priced(199);
		later(2);
		const { id: runId } = await sandbox.owner.run(robot?.id ?? '');
		await sandbox.control.patchRun(String(runId), { hasChanges: false });
		later(2);
		expect(await host.poll()).toBeNull();
		await priced(189);
		expect(await checked(host)).toMatchObject([{ diff: expect.stringContaining('189') }]);
	});

	it("for the page's text, even after a restart", async () => {
		const host = await published();
		expect(await checked(host)).toEqual([]);
		await host.restart();
		await priced(199);
		expect(await checked(host)).toMatchObject([
			{ change: 'changed', diff: expect.stringContaining('199') },
		]);
	});

	it('within seconds if Maxun reaches n8n', async () => {
		const host = await published({ options: { pollOnly: false } });
		const [robot] = await robots();
		for (const price of [249, 189]) {
			later(2);
			await priced(price);
			await sandbox.owner.run(robot?.id ?? '');
		}
		expect((await host.waitForItems(1)).map(({ json }) => json)).toMatchObject([
			{ change: 'changed', diff: expect.stringContaining('189') },
		]);
	});

	it.each([{}, { ...rows(), keyFields: ['Product'] }])(
		'for a change, even if a check in between failed, got no data or was deleted (%j)',
		async (settings) => {
			const host = await published(settings);
			expect(await checked(host)).toEqual([]);
			const [{ id: robotId = '' } = {}] = await robots();
			for (const run of [
				{ status: 'failed', error: 'The page did not respond' },
				{ status: 'success', data: {} },
			]) {
				later(2);
				await sandbox.control.runs({ robotId, count: 1, run });
				expect((await host.poll())?.emitted[0] ?? []).toEqual([]);
			}
			expect(await checked(host)).toEqual([]);
			const [last] = await runsOf(robotId);
			await sandbox.owner.delete(`/runs/${String(last?.id)}`);
			await priced(219);
			expect(await checked(host)).toMatchObject([{ change: 'changed' }]);
		},
	);

	const checkedWithoutData = async (robotId: string) => {
		for (let check = 0; check < 21; check++) {
			later(2);
			await sandbox.control.runs({ robotId, count: 1, run: { status: 'success', data: {} } });
		}
	};

	it('for each change before and after many checks without data, even if one poll reads all of them', async () => {
		const host = await published();
		await checked(host);
		const [{ id: robotId = '' } = {}] = await robots();
		await priced(219);
		later(2);
		await sandbox.owner.run(robotId);
		await checkedWithoutData(robotId);
		await priced(249);
		const prices = (await checked(host)).map(({ diff }) => /\+.*\$(\d+)/.exec(String(diff))?.[1]);
		expect(prices).toEqual(['219', '249']);
	});

	it('for a change after many checks without data, even if Maxun returns the next check first', async () => {
		const host = await published();
		await checked(host);
		const [{ id: robotId = '' } = {}] = await robots();
		await checkedWithoutData(robotId);
		expect(await host.poll()).toBeNull();
		await priced(219);
		later(2);
		const { id } = await sandbox.owner.run(robotId);
		later(2);
		await sandbox.owner.run(robotId);
		later(2);
		await sandbox.control.fault({ kind: 'delay', milliseconds: 1_000, path: `/runs/${id}$` });
		expect((await host.poll())?.emitted[0]).toMatchObject([{ json: { change: 'changed' } }]);
	});
});

describe('a test in the editor', () => {
	it('runs the robot once, shows all its rows as added, and leaves the schedule off', async () => {
		const host = await hostOf(rows());
		await host.listen();
		const [delivery] = await host.waitForItems(1).then(() => host.deliveries.slice(-1));
		const items = delivery?.emitted?.[0] ?? [];
		expect(items.length).toBeGreaterThan(3);
		expect(items[0]?.json).toMatchObject({ change: 'added', Product: expect.any(String) });
		await host.stopListening();
		const [robot, ...others] = await robots();
		expect(others).toEqual([]);
		expect(robot?.schedule).toBeNull();
		await host.listen();
		await host.waitForItems(2 * items.length);
		expect(await runsOf(robot?.id)).toHaveLength(1);
	});

	it('with other settings uses another robot while the workflow is published', async () => {
		const host = await published();
		const [robot] = await robots();
		host.edit({ parameters: { url: `${sandbox.siteUrl}/more` } });
		await host.listen();
		await host.waitForItems(1);
		await host.stopListening();
		expect(await robots()).toMatchObject([robot, { schedule: null }]);
	});
});

it.each([1, 2])(
	'a workflow published, unpublished and killed 50 times has at most one robot and one schedule (seed %i)',
	async (seed) => {
		const random = randomFrom(seed);
		const host = await hostOf(seed === 1 ? {} : rows());
		let isPublished = false;
		for (let round = 0; round < 50; round++) {
			const isKilled = random() < 0.5;
			if (isKilled) await killAfter(Math.floor(random() * 10), random() < 0.5);
			const change = isPublished ? host.deactivate() : host.activate();
			await change.catch(() => undefined);
			isPublished = !isPublished;
			await sandbox.control.clearFaults();
			// n8n's database says whether the workflow is published. If so, n8n activates it at startup.
			if (isKilled && (isPublished || random() < 0.5)) {
				await host.restart();
				isPublished = true;
			} else if (isKilled) await host.deactivate();
			const all = await robots();
			expect(all.length).toBeLessThanOrEqual(1);
			expect(all.filter(({ schedule }) => schedule)).toHaveLength(isPublished ? 1 : 0);
		}
	},
	300_000,
);

/** Kills the process at this request. Maxun may have processed the request, but gets no more. */
async function killAfter(skip: number, isProcessed: boolean): Promise<void> {
	const gone = { kind: 'status' as const, status: 400, path: '.*' };
	await sandbox.control.fault({ ...gone, skip, before: !isProcessed });
	await sandbox.control.fault({ ...gone, skip, times: 1000 });
}
