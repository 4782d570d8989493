import { beforeEach, describe, expect, it } from 'vitest';
import { newRobot, robotsLeft } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { PATIENCE, until } from '../helpers/until.mts';
import { useOperations } from './support/details.mts';

const { sandbox, call, run } = useOperations({
	settings: { slots: 20, runSeconds: 600, agentBuildSeconds: 0 },
});

const SOON = { returnAfter: 2 };
const WAIT = { returnAfter: 0 };

let robotId = '';
beforeEach(async () => {
	robotId = await newRobot(sandbox);
});

const simplified = () => ({ robotId: locator(robotId), output: 'simplified' });

const finishRuns = async () => {
	for (const id of await sandbox.owner.activeRuns()) await sandbox.control.finishRun(id);
};

const NEXT_RUN =
	"Call the tool for 'Run: Get' with this runId in a minute, because the run continues in Maxun";

describe('a tool that an MCP client calls', () => {
	it('returns after 50 seconds with the run, which Run: Get returns later', async () => {
		const begun = Date.now();
		const [early] = await call('run', 'runAndWait', { robotId: locator(robotId) });
		const seconds = (Date.now() - begun) / 1000;
		expect(seconds).toBeGreaterThanOrEqual(49);
		expect(seconds).toBeLessThan(58);
		const [runId] = await sandbox.owner.activeRuns();
		expect(early).toEqual({ status: 'running', runId, robotId, next: NEXT_RUN });
		const get = async () =>
			await call('run', 'get', { runId: locator(String(runId)), output: 'simplified' });
		expect(await get()).toEqual([early]);
		await finishRuns();
		expect(await get()).toMatchObject([{ id: runId, status: 'success' }]);
	});

	it('returns the result itself if the run ends in time', async () => {
		await sandbox.control.settings({ runSeconds: 0.1 });
		const [result] = await call('run', 'runAndWait', simplified());
		expect(result).toMatchObject({ status: 'success' });
		expect(result).not.toHaveProperty('next');
	});

	it('keeps a temporary robot until a workflow reads the run', async () => {
		const url = `${sandbox.siteUrl}/articles/oiling-a-desk`;
		const parameters = { url, formats: ['markdown', 'screenshot-fullpage'], options: SOON };
		const [early] = await call('web', 'scrape', parameters);
		expect(early).toMatchObject({ status: 'running', next: NEXT_RUN });
		expect(await sandbox.count(/^DELETE|cancel$/)).toBe(0);
		await finishRuns();
		const runId = String(early?.runId);
		await sandbox.owner.finished(runId);
		const { rows } = await run('run', 'get', { runId: locator(runId), output: 'rows' });
		expect(rows).toMatchObject([
			{ json: { markdown: expect.stringContaining('desk') }, binary: { screenshot: {} } },
		]);
		expect(await robotsLeft(sandbox)).toEqual([]);
	});

	it('returns the agent that Maxun is building, and does not run it later', async () => {
		await sandbox.control.settings({ agentBuildSeconds: 600 });
		const [early] = await call('web', 'extract', {
			prompt: 'Get the products',
			url: `${sandbox.siteUrl}/products`,
			options: SOON,
		});
		expect(early).toEqual({
			status: 'creating',
			agentId: expect.any(String),
			next: "Call the tool for 'Agent: Run and Wait' with this agentId in a minute or two, because Maxun is still building the agent",
		});
		expect(await sandbox.count(/^DELETE/)).toBe(0);
		expect(await sandbox.starts()).toBe(0);
		const agent = await sandbox.owner.get(`/agents/${String(early?.agentId)}`);
		expect(agent.data.status).toBe('creating');
	});

	it('returns while Maxun is still trying the selectors, and deletes the robot later', async () => {
		const creation = { method: 'POST', path: '^/sdk/robots$' };
		await sandbox.control.fault({ ...creation, kind: 'delay', milliseconds: 3000 });
		const url = `${sandbox.siteUrl}/products`;
		const [early] = await call('web', 'extractRows', {
			url,
			specifyFields: 'fields',
			fields: { values: [{ name: 'Heading', selector: 'h1' }] },
			options: SOON,
		});
		expect(early).toEqual({
			url,
			status: 'not started',
			next: `Call this tool again in a minute, only for ${url}, because nothing was started. Maxun did not respond in time`,
		});
		await until('the deletion', PATIENCE, async () => (await sandbox.count(/^DELETE/)) > 0);
		expect(await sandbox.starts()).toBe(0);
	});

	it('returns in time while Maxun creates something, which must not happen again', async () => {
		const slow = { kind: 'delay', method: 'POST', path: '/robots/scrape$' } as const;
		await sandbox.control.fault({ ...slow, milliseconds: 70_000 });
		const begun = Date.now();
		const url = `${sandbox.siteUrl}/products`;
		const parameters = { url, name: 'Slow', formats: ['text'] };
		const [early] = await call('robot', 'createScrape', parameters);
		expect((Date.now() - begun) / 1000).toBeLessThan(58);
		expect(early).toEqual({
			status: 'in progress',
			next: expect.stringMatching(/^Do not retry this call now/),
		});
	});

	it('does not start any more runs for a list of pages', async () => {
		const urls = [1, 2, 3].map((page) => `${sandbox.siteUrl}/products?page=${page}`);
		const items = await call('run', 'runOnUrls', {
			robotId: locator(robotId),
			urls: urls.join('\n'),
			options: { ...SOON, maxQueued: 1 },
		});
		expect(items.map(({ status }) => status)).toEqual(['running', 'not started', 'not started']);
		expect(items[1]).toMatchObject({
			robotId,
			next: expect.stringMatching(/^Call this tool again/),
		});
		expect(await sandbox.starts()).toBe(1);
	});

	it('also mentions the robot on a self-hosted server', async () => {
		const options = { returnAfter: 20, delayBeforeStart: 0 };
		const parameters = { server: 'selfHosted', robotId: locator(robotId), options };
		const credentials = sandbox.serverCredentials();
		const [early] = await call('run', 'runAndWait', parameters, undefined, credentials);
		expect(early).toMatchObject({
			status: 'running',
			robotId,
			next: expect.stringContaining('with this runId and robotId'),
		});
	});
});

describe('a tool that an agent calls', () => {
	const AGENT = '@n8n/n8n-nodes-langchain.agent';

	it.each([
		['waits for the run', AGENT, {}, { status: 'success' }],
		['returns early if this is set', AGENT, SOON, { status: 'running', next: NEXT_RUN }],
		['waits even for an MCP client if this is 0', undefined, WAIT, { status: 'success' }],
	])('%s', async (_, caller, options, expected) => {
		await sandbox.control.settings({ runSeconds: 4 });
		const [result] = await call('run', 'runAndWait', { ...simplified(), options }, caller);
		expect(result).toMatchObject(expected);
	});
});

it('a workflow always waits for its runs', async () => {
	await sandbox.control.settings({ runSeconds: 2 });
	const parameters = { ...simplified(), options: { returnAfter: 1 } };
	const { json } = await run('run', 'runAndWait', parameters);
	expect(json).toMatchObject([{ status: 'success' }]);
});
