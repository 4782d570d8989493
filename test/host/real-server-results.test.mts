import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../helpers/until.mts';
import { fromModel, McpClient, mcpServer, type McpTool } from './mcp.mts';
import { byId, ONLY_POLLS } from './nodes.mts';
import { doing } from './own-server.mts';
import { freePort } from './ports.mts';
import { RealServer } from './real-server.mts';
import { MINUTE, RealStage } from './real-stage.mts';

// What the nodes return for a real self-hosted server's runs. Not part of a build: see docs/development/testing.md.
const server = new RealServer();

let on: RealStage;

beforeAll(async () => {
	on = await RealStage.open(server);
});

afterAll(async () => await on?.close());

it("Run Found Changes starts once for a crawl robot's run whose site has changed", async () => {
	const page = `${on.site}/products/20`;
	const robotId = await server.crawlRobot(page);
	const publish = async (more = {}) =>
		await on.publish(robotId, {
			events: ['run_changed'],
			options: { addRobotAndRun: true, ...more },
		});
	const triggers = [await publish(), await publish(ONLY_POLLS.options)];
	await server.run(robotId);
	await server.run(robotId);
	await on.stage.sandbox.control.price(20, 31.5);
	const runId = await server.run(robotId);
	for (const trigger of triggers) {
		const { events, errors } = await on.allEvents(trigger, 1, 2 * MINUTE);
		await on.stage.rest.deactivate(trigger);
		expect(errors).toEqual([]);
		expect(events).toMatchObject([
			{ event: 'run_changed', run: { id: runId }, change: 'changed', url: page },
		]);
		expect(events[0]?.diff).toMatch(/^-.*\$29\.00[^]*^\+.*\$31\.50/m);
	}
}, 400_000);

describe('If No Data', () => {
	const NO_DATA = /^Run \S+ (?:for|of|on) .* captured no data$/;
	const scrape = (url: string, ifNoData: string) =>
		doing('web', 'scrape', { url, formats: ['markdown'], options: { ifNoData } });
	const unreachable = async () => `http://127.0.0.1:${await freePort()}/`;

	it('applies to a page that the server cannot open', async () => {
		const url = await unreachable();
		expect(await on.outputOf(scrape(url, 'item'))).toMatchObject([{ url, hasData: false }]);
		expect(await on.outputOf(scrape(url, 'nothing'))).toEqual([]);
		const { error } = await on.execute(scrape(url, 'error'));
		expect(error?.message).toMatch(NO_DATA);
	});

	it('applies to a run without data that starts a workflow', async () => {
		const robotId = await server.robot(await unreachable());
		const publish = async (ifNoData: string) =>
			await on.publish(robotId, { options: { ifNoData } });
		const [item, nothing, error] = [
			await publish('item'),
			await publish('nothing'),
			await publish('error'),
		];
		const runId = await server.run(robotId);
		expect((await on.allEvents(item, 1, MINUTE)).runs.map(({ id }) => id)).toEqual([runId]);
		expect(await on.eventsOf(nothing)).toMatchObject({ runs: [], errors: [] });
		expect((await on.eventsOf(error)).errors).toEqual([expect.stringMatching(NO_DATA)]);
		for (const id of [item, nothing, error]) await on.stage.rest.deactivate(id);
	});
});

describe('Return After', () => {
	const TOOLS: McpTool[] = [
		[
			'Run a robot',
			'runAndWait',
			{ robotId: byId(fromModel('Robot')), limits: { returnAfter: 15 } },
		],
		['Get a run', 'get', { robotId: byId(fromModel('Robot')), runId: byId(fromModel('Run')) }],
	];

	it('returns the run to an MCP client, and Run: Get returns its data', async () => {
		const robotId = await server.robot(on.slowPage(40));
		const path = randomUUID();
		const { id } = await on.stage.rest.createWorkflow(mcpServer(path, 'selfHosted', TOOLS));
		await on.stage.rest.publish(id);
		const client = new McpClient(`${on.stage.n8n.url}/mcp/${path}`);
		await client.open();
		const early = await client.call('Run_a_robot', { Robot: robotId });
		console.log(early);
		const runId = /"runId":\s*"([^"]+)"/.exec(early)?.[1];
		expect(early).toContain("'Run: Get'");
		const get = async () => await client.call('Get_a_run', { Robot: robotId, Run: runId });
		expect(await get()).toContain("'Run: Get'");
		const text = await until('the data', 2 * MINUTE, async () => {
			const text = await get();
			return text.includes("'Run: Get'") ? undefined : text;
		});
		expect(text).toContain('This page took 40 seconds');
		expect(await server.runs(robotId)).toMatchObject([{ runId, status: 'success' }]);
		await on.stage.rest.deactivate(id);
	});
});
