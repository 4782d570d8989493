import { once } from 'node:events';
import { createServer } from 'node:http';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { TEAM_ID, KEYS } from '../sandbox/index.mts';
import { locator } from '../helpers/parameters.mts';
import { newRecorded, newRobot } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { runIdsOf, Triggers } from './support/triggers.mts';

const sandbox = useSandbox();
const triggers = new Triggers(sandbox);
beforeEach(async () => await sandbox.control.settings({ runSeconds: 0.1, deliveryShape: 'snake' }));

describe('the webhook', () => {
	it('a copy of the workflow in another n8n instance never changes the webhook of the original', async () => {
		const robotId = await newRobot(sandbox);
		const original = await triggers.activeHost([robotId]);
		const staticData = original.staticData.reloaded();
		const [webhook] = await triggers.webhooks(robotId);
		const copy = await triggers.host([robotId], {}, { staticData });
		const step = { activate: 2, deactivate: 1 };
		for (const [method, count] of Object.entries(step)) {
			await (method === 'activate' ? copy.activate() : copy.deactivate());
			const webhooks = await triggers.webhooks(robotId);
			expect(webhooks).toHaveLength(count);
			expect(webhooks).toContainEqual(webhook);
		}
		const runId = await triggers.finishedRun(robotId);
		expect(runIdsOf(await original.waitForItems(1))).toEqual([runId]);
	});

	it('the webhook is found among webhooks of others, even malformed ones', async () => {
		const robotId = await newRobot(sandbox);
		const host = await triggers.host([robotId]);
		const odd = [{}, { id: 7, url: null, events: null, active: 'yes', retryAttempts: null }];
		const fault = { kind: 'body', method: 'GET', path: '/webhooks$', times: 1 } as const;
		await sandbox.control.fault({ ...fault, body: { success: true, data: odd } });
		await host.activate();
		expect(await triggers.webhooks(robotId)).toHaveLength(1);
	});

	it('a viewer gets an error with the reason and the robot', async () => {
		const robotId = await newRobot(sandbox, { teamId: TEAM_ID, name: 'Watched by a viewer' });
		const credentials = sandbox.credentials({ apiKey: KEYS.viewer });
		const parameters = { options: { teamId: locator(TEAM_ID) } };
		const host = await triggers.host([robotId], parameters, { credentials });
		await expect(host.activate()).rejects.toThrow(/'Watched by a viewer'.*role/);
	});

	it('no robot keeps a webhook if one of several refuses', async () => {
		const third = await newRobot(sandbox, { name: 'The third' });
		const robots = [await newRobot(sandbox), await newRobot(sandbox), third];
		const fault = { kind: 'status', status: 403, method: 'POST', times: 1 } as const;
		await sandbox.control.fault({ ...fault, path: `/robots/${third}/webhooks$` });
		const host = await triggers.host(robots);
		await expect(host.activate()).rejects.toThrow(/The third/);
		for (const robotId of robots) expect(await triggers.webhooks(robotId)).toEqual([]);
	});

	it('the webhook is removed if the service says that nothing responds', async () => {
		const robotId = await newRobot(sandbox);
		const origin = 'http://127.0.0.1:9';
		const host = await triggers.host([robotId], {}, { origin });
		const error: unknown = await host.activate().catch((caught: unknown) => caught);
		expect(Object(error).message).toMatch(/^Maxun cannot reach this n8n instance\. http:/);
		expect(Object(error).description).toMatch(/127\.0\.0\.1:9.*WEBHOOK_URL/);
		expect(await triggers.webhooks(robotId)).toEqual([]);
	});

	it('the workflow is not published if another server responds at its URL with status 404', async () => {
		const other = createServer((_, response) => response.writeHead(404).end('Not Found'));
		onTestFinished(() => void other.close());
		other.listen(0, '127.0.0.1');
		await once(other, 'listening');
		const address = z.object({ port: z.number() }).parse(other.address());
		const robotId = await newRobot(sandbox);
		const origin = `http://127.0.0.1:${address.port}`;
		const host = await triggers.host([robotId], {}, { origin });
		await expect(host.activate()).rejects.toThrow(
			/cannot reach this n8n instance.*responded to Maxun with status 404, but[^.]+\. \w/,
		);
		expect(await triggers.webhooks(robotId)).toEqual([]);
	});

	it.each([
		['is lost in a gateway', { kind: 'status', status: 504, body: 'Gateway Time-out' }],
		['is cut off', { kind: 'reset' }],
	] as const)('the webhook stays if the response to the sample event %s', async (_, fault) => {
		const robotId = await newRobot(sandbox);
		const host = await triggers.host([robotId]);
		await sandbox.control.fault({ ...fault, path: '/test$', times: 9 });
		await host.activate();
		expect(await triggers.webhooks(robotId)).toHaveLength(1);
	});

	it.each([
		{ ok: false, statusCode: 502 },
		{ ok: false, statusCode: 502, error: 'Request failed with status code 502' },
	])('the workflow is not published if the response to the sample event is %j', async (body) => {
		const robotId = await newRobot(sandbox);
		const host = await triggers.host([robotId]);
		await sandbox.control.fault({ kind: 'body', path: '/test$', body });
		await expect(host.activate()).rejects.toThrow(/responded to Maxun with status 502/);
		expect(await triggers.webhooks(robotId)).toEqual([]);
	});

	it('the webhook stays if the response to the sample event is unclear', async () => {
		const robotId = await newRobot(sandbox);
		const host = await triggers.host([robotId]);
		await sandbox.control.fault({
			kind: 'body',
			path: '/test$',
			body: { data: { sent: 'maybe' } },
		});
		await host.activate();
		expect(await triggers.webhooks(robotId)).toHaveLength(1);
	});
});

describe('a delivery', () => {
	it('only runs of selected sources are emitted', async () => {
		const robotId = await newRobot(sandbox);
		const host = await triggers.activeHost([robotId], { options: { sources: ['schedule'] } });
		const url = (await triggers.webhooks(robotId))[0]?.url;
		const [other] = await triggers.endedRuns(robotId, 1, { source: 'api' });
		const [run] = await triggers.endedRuns(robotId, 1, { source: 'schedule' });
		for (const run_id of [other, run]) await host.post({ data: { run_id } }, url);
		expect(runIdsOf(host.emitted)).toEqual([run]);
	});

	it('rows have the selected columns, with names and types', async () => {
		const robotId = await newRecorded(sandbox, {});
		const other = await newRobot(sandbox);
		const columns = {
			values: [
				{ column: 'Price', name: 'price', type: 'number' },
				{ column: 'Absent', type: 'text' },
				{ column: 'Product', name: 'name', type: 'text' },
			],
		};
		const options = { columns, addRobotAndRun: false };
		const host = await triggers.activeHost([robotId, other], { output: 'rows', options });
		await triggers.finishedRun(robotId);
		const [first] = await host.waitForItems(8);
		expect(JSON.stringify(first?.json)).toBe(
			JSON.stringify({ price: 249, Absent: null, name: 'Walnut desk' }),
		);
	});

	it('a run is emitted with its diff if it has one', async () => {
		const robotId = await newRobot(sandbox);
		const path = `/robots/${robotId}/monitoring`;
		await sandbox.owner.put(path, { compareRuns: true });
		const host = await triggers.activeHost([robotId], { options: { includeDiff: true } });
		await triggers.finishedRun(robotId);
		await host.waitForItems(1);
		await fetch(`${sandbox.siteUrl}/_prices`, { method: 'POST' });
		const changed = await triggers.finishedRun(robotId);
		const [first, second] = await host.waitForItems(2);
		expect(first?.json.diff).toBeNull();
		expect(second?.json.diff).toMatchObject({ runId: changed, hasChanges: true });
	});
});

describe('a test in the editor', () => {
	it('a test shows the latest run that has ended at once', async () => {
		const robotId = await newRobot(sandbox);
		const ids = await triggers.endedRuns(robotId, 3);
		const host = await triggers.host([robotId]);
		await host.listen();
		expect(runIdsOf(await host.waitForItems(1))).toEqual([ids.at(-1)]);
		await host.stopListening();
		expect(await triggers.webhooks(robotId)).toEqual([]);
	});

	it('a test can wait for the next run', async () => {
		const robotId = await newRobot(sandbox);
		await triggers.endedRuns(robotId, 3);
		const host = await triggers.host([robotId], { options: { testWith: 'nextRun' } });
		await host.listen();
		await host.waitForDeliveries(1);
		expect(host.emitted).toEqual([]);
		const runId = await triggers.finishedRun(robotId);
		expect(runIdsOf(await host.waitForItems(1))).toEqual([runId]);
		await host.stopListening();
	});
});
