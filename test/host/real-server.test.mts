import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../helpers/until.mts';
import { byId, ONLY_POLLS } from './nodes.mts';
import { ACTION, BUTTON, doing } from './own-server.mts';
import { MINUTE, RealStage } from './real-stage.mts';
import { type Part, RealServer } from './real-server.mts';
import { ENDED, itemsOf } from './rest.mts';

// The nodes in a real n8n instance, with a real self-hosted server. Builds don't run these tests. See docs/development/testing.md.
const server = new RealServer();
const { MAXUN_SCRAPES: SCRAPES, MAXUN_CONTROL } = server.settings;

let on: RealStage;

beforeAll(async () => {
	on = await RealStage.open(server);
});

afterAll(async () => await on?.close());

const temporary = async () => (await server.temporaryRobots(on.site)).map(({ url }) => url);

afterEach(async () => {
	const left = await server.temporaryRobots(on.site);
	for (const { id } of left) await server.delete(id);
	expect(left).toEqual([]);
});

const runAndWait = (robotId: string, options: object) =>
	doing('run', 'runAndWait', { output: 'simplified', robotId: byId(robotId), options });

describe('on a real server', () => {
	it('an execution pauses until its run has ended', async () => {
		const robotId = await server.robot(on.slowPage(20));
		const id = await on.produce(runAndWait(robotId, { pauseAfter: 1 }), [{}]);
		await on.reaches(id, MINUTE, ['waiting']);
		const execution = await on.ended(id, 4 * MINUTE);
		expect(execution.error?.message).toBeUndefined();
		expect(itemsOf(execution, ACTION)).toMatchObject([{ json: { robotId, status: 'success' } }]);
		expect(await server.runs(robotId)).toHaveLength(1);
	});

	it('the trigger registers its webhook, starts once per run, and turns the webhook off', async () => {
		const robotId = await server.robot(`${on.site}/articles`);
		const id = await on.publish(robotId);
		expect(await server.webhooks(robotId)).toHaveLength(1);
		const runId = await server.run(robotId);
		const { runs, errors } = await on.allEvents(id, 1, MINUTE);
		expect(runs.map((run) => run.id)).toEqual([runId]);
		expect(errors).toEqual([]);
		await on.stage.rest.deactivate(id);
		await until('the end of the webhook', MINUTE, async () => {
			return (await server.webhooks(robotId)).length === 0;
		});
	});

	it('without webhooks, the trigger polls and starts once per run', async () => {
		const robotId = await server.robot(`${on.site}/articles`);
		await server.run(robotId);
		const id = await on.publish(robotId, ONLY_POLLS);
		const runId = await server.run(robotId);
		const { runs, errors } = await on.allEvents(id, 1, 2 * MINUTE);
		await on.stage.rest.deactivate(id);
		expect(runs.map((run) => run.id)).toEqual([runId]);
		expect(errors).toEqual([]);
	});

	it('a schedule runs a robot, and its runs start the workflow', async () => {
		const robotId = await server.robot(`${on.site}/articles`);
		const id = await on.publish(robotId);
		const rule = { runEvery: 1, runEveryUnit: 'MINUTES', timezone: 'UTC' };
		await on.outputOf(doing('schedule', 'upsert', { robotId: byId(robotId), ...rule }));
		const { runs } = await on.allEvents(id, 1, 4 * MINUTE);
		await on.outputOf(doing('schedule', 'delete', { robotId: byId(robotId) }));
		await on.stage.rest.deactivate(id);
		expect(runs[0]?.source).toBe('schedule');
		expect(new Set(runs.map((run) => run.id)).size).toBe(runs.length);
	}, 400_000);

	it('executions that are stopped early do not leave a robot or a busy browser', async () => {
		for (const seconds of [1, 6]) {
			const scrape = doing('web', 'scrape', { url: on.slowPage(15), formats: ['markdown'] });
			const { id } = await on.stage.rest.createWorkflow(scrape);
			const execution = await on.stage.rest.run(id, BUTTON);
			await until('the robot', MINUTE, async () => (await temporary()).length > 0);
			await sleep(5000 + seconds * 1000);
			await on.stage.rest.stop(execution);
			await until('the end of the robot', MINUTE, async () => (await temporary()).length === 0);
		}
		await sleep(MINUTE / 2);
		const robotIds = [await server.robot(on.slowPage(8)), await server.robot(on.slowPage(8))];
		const first = server.run(robotIds[0] ?? '');
		await sleep(2000);
		await Promise.all([first, server.run(robotIds[1] ?? '')]);
	}, 300_000);
});

describe(`${SCRAPES} pages in one execution`, () => {
	const pages = () =>
		Array.from({ length: SCRAPES }, (_, index) => {
			const isHalf = index === Math.floor(SCRAPES / 2);
			return { url: isHalf ? on.slowPage(20) : `${on.site}/products/${(index % 20) + 1}` };
		});
	const scrape = (options: object) =>
		doing('web', 'scrape', { url: '={{ $json.url }}', formats: ['markdown'], options });

	const expectAll = async (workflowId: string, began: number) => {
		const execution = await on.ended(workflowId, 2 * SCRAPES * MINUTE);
		console.log(
			`${SCRAPES} pages after ${Math.round((Date.now() - began) / 1000)} s: ${execution.status}`,
		);
		expect(execution.error?.message).toBeUndefined();
		const urls = itemsOf(execution, ACTION).map(({ json }) => json.url);
		expect(urls).toEqual(pages().map(({ url }) => url));
		for (const { json } of itemsOf(execution, ACTION)) {
			expect(json).toMatchObject({ markdown: expect.stringMatching(/\w/) });
		}
	};

	it(
		'all are scraped in order with two browsers, and the robots are deleted',
		async () => {
			const began = Date.now();
			await expectAll(await on.produce(scrape({ maxRuns: 2 }), pages()), began);
		},
		SCRAPES * MINUTE,
	);

	it(
		'all are scraped in order although n8n is killed halfway, and the robots are deleted',
		async () => {
			const began = Date.now();
			const id = await on.produce(scrape({ pauseAfter: 1 }), pages());
			await until('half of the pages', SCRAPES * MINUTE, async () => {
				await sleep(300);
				return (await temporary()).includes(on.slowPage(20));
			});
			await on.reaches(id, 2 * MINUTE, ['waiting']);
			await on.stage.n8n.kill();
			await sleep(20_000);
			await on.stage.n8n.start();
			await expectAll(id, began);
		},
		// The execution pauses for more than a minute at each page.
		2 * SCRAPES * MINUTE,
	);

	it(
		'the robot of an execution that is killed while it polls is left, and its name shows when it expires',
		async () => {
			const id = await on.produce(scrape({ pauseAfter: 0 }), pages());
			await until('half of the pages', SCRAPES * MINUTE, async () => {
				await sleep(300);
				return (await temporary()).includes(on.slowPage(20));
			});
			await on.stage.n8n.kill();
			await on.stage.n8n.start();
			expect((await on.reaches(id, MINUTE, ENDED)).status).toBe('crashed');
			const left = await server.temporaryRobots(on.site);
			expect(left.map(({ url }) => url)).toEqual([on.slowPage(20)]);
			for (const robot of left) await server.delete(robot.id);
		},
		SCRAPES * MINUTE,
	);
});

describe.runIf(MAXUN_CONTROL)('a part of the server stops', () => {
	const REASONS =
		/^Maxun cannot respond|^The connection|could not be reached|ended with status (failed|aborted)/;

	/** Waits until a robot's only run and its browser have started. */
	const started = async (robotId: string) =>
		await until('the run', MINUTE, async () => {
			const [run] = await server.runs(robotId);
			return run?.log ? run : undefined;
		});

	const OUTAGE = 40_000;

	/** Starts a run that pauses. @returns the workflow's ID, when the run has this status */
	async function paused(robotId: string, status: string): Promise<string> {
		const id = await on.produce(runAndWait(robotId, { pauseAfter: 1, timeoutMinutes: 8 }), [{}]);
		await on.reaches(id, MINUTE, ['waiting']);
		await until(`a run that is ${status}`, MINUTE, async () => {
			await sleep(500);
			return (await server.runs(robotId)).some((run) => run.status === status);
		});
		return id;
	}

	it.each<[part: Part, seconds: number, status: string]>([
		['postgres', 55, 'running'],
		['postgres', 15, 'success'],
		['browser', 15, 'success'],
	])(
		'%s, for 40 seconds of a pause: the data of a run of %d seconds arrives',
		async (part, seconds, status) => {
			const robotId = await server.robot(on.slowPage(seconds));
			const id = await paused(robotId, status);
			await server.without(part, async () => await sleep(OUTAGE));
			const execution = await on.ended(id, 9 * MINUTE);
			expect(execution.error?.message).toBeUndefined();
			const [item] = itemsOf(execution, ACTION);
			expect(item?.json).toMatchObject({ robotId, status: 'success' });
			expect(JSON.stringify(item?.json)).toContain(`This page took ${seconds} seconds`);
			expect(await server.runs(robotId)).toHaveLength(1);
		},
		700_000,
	);

	it("the database, during polls: the execution reports the run's end", async () => {
		const robotId = await server.robot(on.slowPage(30));
		const id = await on.produce(runAndWait(robotId, { pauseAfter: 0, timeoutMinutes: 8 }), [{}]);
		await started(robotId);
		await server.without('postgres', async () => await sleep(8_000));
		const execution = await on.ended(id, 9 * MINUTE);
		console.log(`Database: ${execution.error?.message ?? execution.status}`);
		if (execution.error) expect(execution.error.message).toMatch(REASONS);
		expect(await server.runs(robotId)).toHaveLength(1);
	}, 700_000);

	it("the browser, during a wait: the execution and the trigger report the run's end", async () => {
		const robotId = await server.robot(on.slowPage(40));
		const trigger = await on.publish(robotId);
		const id = await on.produce(runAndWait(robotId, { pauseAfter: 1, timeoutMinutes: 8 }), [{}]);
		const { runId } = await started(robotId);
		await server.without('browser', async () => await sleep(OUTAGE));
		const execution = await on.ended(id, 9 * MINUTE);
		const [item] = itemsOf(execution, ACTION);
		const outcome = execution.error?.message ?? JSON.stringify(item?.json).slice(0, 500);
		console.log(`Browser: ${outcome}`);
		const { runs } = await on.allEvents(trigger, 1, 2 * MINUTE);
		await on.stage.rest.deactivate(trigger);
		// Some server versions report success without data.
		if (execution.error) expect(execution.error.message).toMatch(REASONS);
		expect(runs.map((run) => run.id)).toEqual([runId]);
		expect(await server.runs(robotId)).toHaveLength(1);
	}, 800_000);

	it("the file store: the page's content is still returned", async () => {
		const url = `${on.site}/articles`;
		const options = { downloadScreenshots: true };
		const formats = ['markdown', 'screenshot-visible'];
		const scrape = doing('web', 'scrape', { url, formats, options });
		const execution = await server.without('minio', async () => await on.execute(scrape));
		expect(execution.error?.message).toBeUndefined();
		const [item] = itemsOf(execution, ACTION);
		// Version 0.0.43 drops screenshots that it can't store.
		console.log(`File store: ${Object.keys(item?.binary ?? {}).length} screenshots`);
		expect(item?.json).toMatchObject({ url, markdown: expect.stringMatching(/\w/) });
		expect(item?.json.screenshotError).toBeUndefined();
	}, 400_000);

	it('the database, during polls and a delivery: triggers with and without webhooks start once per run', async () => {
		const robotId = await server.robot(on.slowPage(15));
		const polling = await on.publish(robotId, ONLY_POLLS);
		const trigger = await on.publish(robotId);
		const runIds = [await server.run(robotId)];
		await server.without('postgres', async () => await sleep(75_000));
		runIds.push(await server.run(robotId));
		const told = [
			await on.allEvents(polling, 2, 4 * MINUTE),
			await on.allEvents(trigger, 2, 4 * MINUTE),
		];
		await on.stage.rest.deactivate(polling);
		await on.stage.rest.deactivate(trigger);
		for (const { runs, errors } of told) {
			console.log(`Events: ${runs.length}; ${errors.join(' | ') || 'no errors'}`);
			expect(runs.map((run) => run.id).sort()).toEqual([...runIds].sort());
			for (const message of errors) expect(message).toMatch(REASONS);
		}
	}, 700_000);
});
