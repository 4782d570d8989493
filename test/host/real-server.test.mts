import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../helpers/until.mts';
import { byId, call, chain, node, webhookNode } from './nodes.mts';
import { ACTION, BUTTON, doing, TRIGGER, watching } from './own-server.mts';
import { RealServer } from './real-server.mts';
import { ENDED, type Execution, itemsOf, type WorkflowSource } from './rest.mts';
import { openStage, type Stage } from './stage.mts';

// The nodes in a real n8n, on a real self-hosted server. Not part of a build: see docs/self-hosted.md.
const server = new RealServer();
const { MAXUN_SCRAPES: SCRAPES, MAXUN_SEES_US_AS: host, MAXUN_CONTROL } = server.settings;

const MINUTE = 60_000;
/** The server has whole seconds. Runs that end in a publication's second come before it. */
const NEW_SECOND = 1_500;

let stage: Stage;
let site: string;

beforeAll(async () => {
	stage = await openStage({ host });
	await server.replaceSandbox(stage.rest);
	site = stage.sandbox.siteUrl.replace('127.0.0.1', host ?? '127.0.0.1');
});

afterAll(async () => {
	await server.cleanUp();
	await stage?.close();
});

/** URLs of the nodes' temporary robots. */
const temporary = async () => (await server.temporaryRobots(site)).map(({ url }) => url);

afterEach(async () => {
	const left = await server.temporaryRobots(site);
	for (const { id } of left) await server.delete(id);
	expect(left).toEqual([]);
});

/** Runs an operation manually. @returns its items */
async function outputOf(workflow: WorkflowSource) {
	const { id } = await stage.rest.createWorkflow(workflow);
	const execution = await stage.rest.finished(await stage.rest.run(id, BUTTON), 5 * MINUTE);
	expect(execution.error?.message).toBeUndefined();
	return itemsOf(execution, ACTION).map(({ json }) => json);
}

/** Starts an operation in production with these items. @returns the ID of the workflow */
async function produce(workflow: ReturnType<typeof doing>, items: object[]): Promise<string> {
	const path = randomUUID();
	const actions = workflow.nodes.slice(1);
	const split = node('Split', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body.items' });
	const nodes = [webhookNode('Call', path), split, ...actions];
	const { id } = await stage.rest.createWorkflow(chain(workflow.name, nodes));
	await stage.rest.publish(id);
	await call(`${stage.n8n.url}/webhook/${path}`, { items });
	return id;
}

/** Waits until the only execution of a workflow is in one of these states. */
const reaches = async (workflowId: string, limit: number, states: Iterable<string>) =>
	await until(`an execution that is ${[...states].join(' or ')}`, limit, async () => {
		const [entry, ...others] = await stage.rest.executions(workflowId);
		expect(others).toEqual([]);
		await sleep(500);
		return entry && [...states].includes(entry.status) ? entry : undefined;
	});

const ended = async (workflowId: string, limit: number): Promise<Execution> =>
	await stage.rest.execution((await reaches(workflowId, limit, ENDED)).id);

const runAndWait = (robotId: string, options: object) =>
	doing('run', 'runAndWait', { output: 'simplified', robotId: byId(robotId), options });

const slowPage = (seconds: number) => `${site}/slow?seconds=${seconds}`;

/** Publishes a trigger for a robot. */
async function publish(type: 'maxunTrigger' | 'maxunPollingTrigger', robotId: string) {
	const { id } = await stage.rest.createWorkflow(watching(type, [robotId]));
	await stage.rest.publish(id);
	await sleep(NEW_SECOND);
	return id;
}

const Event = z.object({ run: z.object({ id: z.string(), source: z.string().optional() }) });

/** The events that started a workflow, and the messages of executions that failed. */
async function eventsOf(workflowId: string) {
	const entries = await stage.rest.allExecutions(workflowId);
	const finished = await Promise.all(entries.map(async ({ id }) => await stage.rest.finished(id)));
	return {
		runs: finished
			.flatMap((execution) => itemsOf(execution, TRIGGER))
			.map(({ json }) => Event.parse(json).run),
		errors: finished.flatMap(({ error }) => error?.message ?? []),
	};
}

/** Waits for the events, and some time for repeated ones. @returns the runs and failed executions */
async function allEvents(workflowId: string, count: number, limit: number) {
	await until(`${count} events`, limit, async () => {
		await sleep(1000);
		return (await eventsOf(workflowId)).runs.length >= count || undefined;
	});
	await sleep(MINUTE / 4);
	return await eventsOf(workflowId);
}

describe('on a real server', () => {
	it('Run and Wait returns the rows of a robot', async () => {
		const robotId = await server.robot(`${site}/articles/oiling-a-desk`);
		const parameters = { robotId: byId(robotId), output: 'rows' };
		const [row] = await outputOf(doing('run', 'runAndWait', parameters));
		expect(row).toMatchObject({ markdown: expect.stringMatching(/oil/i) });
		expect(await server.runs(robotId)).toHaveLength(1);
	});

	it('a page is scraped in one step', async () => {
		const url = `${site}/articles/oiling-a-desk`;
		const [page] = await outputOf(doing('web', 'scrape', { url, formats: ['markdown', 'links'] }));
		expect(page).toMatchObject({ url, markdown: expect.stringMatching(/oil/i) });
	});

	it('an execution pauses until its run has ended', async () => {
		const robotId = await server.robot(slowPage(20));
		const id = await produce(runAndWait(robotId, { pauseAfter: 1 }), [{}]);
		await reaches(id, MINUTE, ['waiting']);
		const execution = await ended(id, 4 * MINUTE);
		expect(execution.error?.message).toBeUndefined();
		expect(itemsOf(execution, ACTION)).toMatchObject([{ json: { robotId, status: 'success' } }]);
		expect(await server.runs(robotId)).toHaveLength(1);
	});

	it('the trigger registers its webhook, starts once per run, and removes the webhook', async () => {
		const robotId = await server.robot(`${site}/articles`);
		const id = await publish('maxunTrigger', robotId);
		expect(await server.webhooks(robotId)).toHaveLength(1);
		const runId = await server.run(robotId);
		const { runs, errors } = await allEvents(id, 1, MINUTE);
		expect(runs.map((run) => run.id)).toEqual([runId]);
		expect(errors).toEqual([]);
		await stage.rest.deactivate(id);
		await until('the end of the webhook', MINUTE, async () => {
			return (await server.webhooks(robotId)).length === 0 || undefined;
		});
	});

	it('the polling trigger starts once per run', async () => {
		const robotId = await server.robot(`${site}/articles`);
		await server.run(robotId);
		const id = await publish('maxunPollingTrigger', robotId);
		const runId = await server.run(robotId);
		const { runs, errors } = await allEvents(id, 1, 2 * MINUTE);
		await stage.rest.deactivate(id);
		expect(runs.map((run) => run.id)).toEqual([runId]);
		expect(errors).toEqual([]);
	});

	it('a schedule runs a robot, and its runs start the workflow', async () => {
		const robotId = await server.robot(`${site}/articles`);
		const id = await publish('maxunTrigger', robotId);
		const rule = { runEvery: 1, runEveryUnit: 'MINUTES', timezone: 'UTC' };
		await outputOf(doing('schedule', 'upsert', { robotId: byId(robotId), ...rule }));
		const { runs } = await allEvents(id, 1, 4 * MINUTE);
		await outputOf(doing('schedule', 'delete', { robotId: byId(robotId) }));
		await stage.rest.deactivate(id);
		expect(runs[0]?.source).toBe('schedule');
		expect(new Set(runs.map((run) => run.id)).size).toBe(runs.length);
	}, 400_000);

	it('executions that are stopped early leave no robot and no busy browser', async () => {
		for (const seconds of [1, 6]) {
			const scrape = doing('web', 'scrape', { url: slowPage(15), formats: ['markdown'] });
			const { id } = await stage.rest.createWorkflow(scrape);
			const execution = await stage.rest.run(id, BUTTON);
			await until('the robot', MINUTE, async () =>
				(await temporary()).length > 0 ? true : undefined,
			);
			await sleep(5000 + seconds * 1000);
			await stage.rest.stop(execution);
			await until('the end of the robot', MINUTE, async () =>
				(await temporary()).length === 0 ? true : undefined,
			);
		}
		await sleep(MINUTE / 2);
		const robotIds = [await server.robot(slowPage(8)), await server.robot(slowPage(8))];
		const first = server.run(robotIds[0] ?? '');
		await sleep(2000);
		await Promise.all([first, server.run(robotIds[1] ?? '')]);
	}, 300_000);
});

describe(`${SCRAPES} pages in one execution`, () => {
	const pages = () =>
		Array.from({ length: SCRAPES }, (_, index) => {
			const isHalf = index === Math.floor(SCRAPES / 2);
			return { url: isHalf ? slowPage(20) : `${site}/products/${(index % 20) + 1}` };
		});
	const scrape = (options: object) =>
		doing('web', 'scrape', { url: '={{ $json.url }}', formats: ['markdown'], options });

	const expectAll = async (workflowId: string, began: number) => {
		const execution = await ended(workflowId, 2 * SCRAPES * MINUTE);
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
		'all are scraped in order with two browsers, and no robot remains',
		async () => {
			const began = Date.now();
			await expectAll(await produce(scrape({ maxRuns: 2 }), pages()), began);
		},
		SCRAPES * MINUTE,
	);

	it(
		'all are scraped in order although n8n is killed halfway, and no robot remains',
		async () => {
			const began = Date.now();
			const id = await produce(scrape({ pauseAfter: 1 }), pages());
			await until('half of the pages', SCRAPES * MINUTE, async () => {
				await sleep(300);
				return (await temporary()).includes(slowPage(20)) || undefined;
			});
			await reaches(id, 2 * MINUTE, ['waiting']);
			await stage.n8n.kill();
			await sleep(20_000);
			await stage.n8n.start();
			await expectAll(id, began);
		},
		// It pauses for more than a minute at each page.
		2 * SCRAPES * MINUTE,
	);

	it(
		'the robot of an execution that is killed while it polls remains, and its name says when it expires',
		async () => {
			const id = await produce(scrape({ pauseAfter: 0 }), pages());
			await until('half of the pages', SCRAPES * MINUTE, async () => {
				await sleep(300);
				return (await temporary()).includes(slowPage(20)) || undefined;
			});
			await stage.n8n.kill();
			await stage.n8n.start();
			expect((await reaches(id, MINUTE, ENDED)).status).toBe('crashed');
			const left = await server.temporaryRobots(site);
			expect(left.map(({ url }) => url)).toEqual([slowPage(20)]);
			for (const robot of left) await server.delete(robot.id);
		},
		SCRAPES * MINUTE,
	);
});

describe.runIf(MAXUN_CONTROL)('a part of the server stops', () => {
	const REASONS =
		/^Maxun cannot respond|^The connection|could not be reached|finished with status (failed|aborted)/;

	/** Waits until the only run of a robot has started, and its browser has started. */
	const started = async (robotId: string) =>
		await until('the run', MINUTE, async () => {
			const [run] = await server.runs(robotId);
			return run?.log ? run : undefined;
		});

	it.each([0, 1])(
		'the database, during a wait with Pause After %d',
		async (pauseAfter) => {
			const robotId = await server.robot(slowPage(30));
			const id = await produce(runAndWait(robotId, { pauseAfter, waitFor: 8 }), [{}]);
			await started(robotId);
			await server.without('postgres', async () => await sleep(8_000));
			const execution = await ended(id, 9 * MINUTE);
			console.log(`Pause After ${pauseAfter}: ${execution.error?.message ?? execution.status}`);
			if (execution.error) expect(execution.error.message).toMatch(REASONS);
			expect((await server.runs(robotId)).length).toBe(1);
		},
		700_000,
	);

	it('the browser, during a wait: the execution and the trigger report the end of the run', async () => {
		const robotId = await server.robot(slowPage(40));
		const trigger = await publish('maxunTrigger', robotId);
		const id = await produce(runAndWait(robotId, { pauseAfter: 1, waitFor: 8 }), [{}]);
		const { runId } = await started(robotId);
		await server.without('browser', async () => await sleep(5_000));
		const execution = await ended(id, 9 * MINUTE);
		const [item] = itemsOf(execution, ACTION);
		const outcome = execution.error?.message ?? JSON.stringify(item?.json).slice(0, 500);
		console.log(`Browser: ${outcome}`);
		const { runs } = await allEvents(trigger, 1, 2 * MINUTE);
		await stage.rest.deactivate(trigger);
		// Some server versions report success without data.
		if (execution.error) expect(execution.error.message).toMatch(REASONS);
		expect(runs.map((run) => run.id)).toEqual([runId]);
		expect(await server.runs(robotId)).toHaveLength(1);
	}, 800_000);

	it('the file store: the content of the page is still returned', async () => {
		const url = `${site}/articles`;
		const options = { downloadScreenshots: true };
		const formats = ['markdown', 'screenshot-visible'];
		const { id } = await stage.rest.createWorkflow(
			doing('web', 'scrape', { url, formats, options }),
		);
		const execution = await server.without('minio', async () =>
			stage.rest.finished(await stage.rest.run(id, BUTTON), 5 * MINUTE),
		);
		expect(execution.error?.message).toBeUndefined();
		const [item] = itemsOf(execution, ACTION);
		// Version 0.0.43 drops screenshots that it can't store.
		console.log(`File store: ${Object.keys(item?.binary ?? {}).length} screenshots`);
		expect(item?.json).toMatchObject({ url, markdown: expect.stringMatching(/\w/) });
		expect(item?.json.screenshotError).toBeUndefined();
	}, 400_000);

	it('the database, during polls and a delivery: both triggers start once per run', async () => {
		const robotId = await server.robot(slowPage(15));
		const polling = await publish('maxunPollingTrigger', robotId);
		const trigger = await publish('maxunTrigger', robotId);
		const runIds = [await server.run(robotId)];
		await server.without('postgres', async () => await sleep(75_000));
		runIds.push(await server.run(robotId));
		const told = [await allEvents(polling, 2, 4 * MINUTE), await allEvents(trigger, 2, 4 * MINUTE)];
		await stage.rest.deactivate(polling);
		await stage.rest.deactivate(trigger);
		for (const { runs, errors } of told) {
			console.log(`Events: ${runs.length}; ${errors.join(' | ') || 'no errors'}`);
			expect(runs.map((run) => run.id).sort()).toEqual([...runIds].sort());
			for (const message of errors) expect(message).toMatch(REASONS);
		}
	}, 700_000);
});
