import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newProductRobot, productUrl } from '../helpers/fixtures.mts';
import { until } from '../helpers/until.mts';
import type { Settings } from '../sandbox/index.mts';
import { byId, call, chain, maxunNode, webhookNode } from './nodes.mts';
import { ENDED, itemsOf } from './rest.mts';
import { openStage, type Stage } from './stage.mts';

const PAGES = 500;
/** Number of products in the demo shop, each with its own page. */
const PRODUCTS = 8;
const LIMIT = 300_000;

let stage: Stage;

beforeAll(async () => {
	stage = await openStage({ settings: { rateLimitPerMinute: 1_000_000 } });
});

afterAll(async () => await stage?.close());

interface Kind {
	server: 'cloud' | 'selfHosted';
	settings: Partial<Settings>;
	options: Record<string, unknown>;
}

const KINDS: Array<[name: string, kind: Kind]> = [
	[
		'Maxun Cloud',
		{
			server: 'cloud',
			settings: { slots: 25, runSeconds: 2 },
			options: {},
		},
	],
	[
		'a self-hosted server',
		{
			server: 'selfHosted',
			settings: {
				selfHostedForm: 'observed',
				selfHostedSlots: 5,
				runSeconds: 0.5,
				selfHostedStepSeconds: 0.01,
			},
			options: { delayBeforeStart: 0, maxRuns: 5 },
		},
	],
];

const ACTION = 'Run on many URLs';

/** A workflow that starts on a call `{urls}`, and polls while the robot runs on them. */
const workflow = (path: string, robotId: string, { server, options }: Kind) =>
	chain(path, [
		webhookNode('Start', path),
		maxunNode(ACTION, server, 'run', 'runOnUrls', {
			robotId: byId(robotId),
			urls: '={{ $json.body.urls }}',
			options: { pauseAfter: 0, ...options },
		}),
	]);

const robots = async () =>
	(await stage.maxun.get('/robots?limit=100')).list.map(({ name }) => String(name)).sort();

/** The number of starts so far, also of runs that have ended. */
const starts = async () => await stage.sandbox.count(/^POST \/robots\/[^/]+\/runs$/);

describe.each(KINDS)('500 URLs on %s', (name, kind) => {
	it('n8n was killed halfway and ran the workflow again; what remained says when it expires', async () => {
		await stage.sandbox.control.settings(kind.settings);
		const robotId = await newProductRobot(stage.sandbox);
		// Looks like ours, but is not.
		const body = { name: 'n8n urls of my shop', url: productUrl(stage.sandbox, 1) };
		await stage.maxun.post('/robots/scrape', { ...body, formats: ['text'] });
		const before = await robots();
		const path = `urls-${randomUUID()}`;
		const { id } = await stage.rest.createWorkflow(workflow(path, robotId, kind));
		await stage.rest.publish(id);
		const urls = Array.from(
			{ length: PAGES },
			(_, index) => `${productUrl(stage.sandbox, (index % PRODUCTS) + 1)}?visit=${index}`,
		);
		const start = async () => await call(`${stage.n8n.url}/webhook/${path}`, { urls });
		const latest = async () => (await stage.rest.executions(id))[0];

		await stage.sandbox.control.clear();
		await start();
		await until('half of the runs', LIMIT, async () => (await starts()) >= PAGES / 2 || undefined);
		await stage.n8n.kill();
		const left = (await robots()).filter((robot) => !before.includes(robot));
		expect(left.length).toBeGreaterThan(0);

		await stage.n8n.start();
		const killed = await until('the crash', 60_000, async () => {
			const execution = await latest();
			return execution && ENDED.has(execution.status) ? execution : undefined;
		});
		expect(killed.status).toBe('crashed');
		await stage.sandbox.control.clear();
		const began = Date.now();
		await start();
		const next = await until('the next execution', LIMIT, async () => {
			const execution = await latest();
			return execution && execution.id !== killed.id && ENDED.has(execution.status)
				? execution
				: undefined;
		});
		const seconds = (Date.now() - began) / 1000;
		const execution = await stage.rest.execution(next.id);
		console.log(
			`${name}: ${left.length} copies remained, and the next execution took ${seconds.toFixed(1)} s`,
		);
		expect(execution.error).toBeUndefined();
		expect(itemsOf(execution, ACTION).map(({ json }) => json.pageUrl)).toEqual(urls);
		const remaining = (await robots()).filter((robot) => !before.includes(robot));
		expect(remaining).toEqual(left);
		for (const robot of left) expect(robot).toMatch(/^n8n urls until \S+Z \w{10}$/);
	}, 900_000);
});
