import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { TEAM_ID } from '../sandbox/index.mts';
import {
	listSearch,
	loadOptions,
	mapperFields,
	TOOL_NODE,
	type ExecuteOptions,
} from '../helpers/engine/index.mts';
import { newRecorded, newRobot, unique } from '../helpers/fixtures.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { succeeded, useOperations } from './support/details.mts';
import { usePausing } from './support/pausing.mts';

const { sandbox, run } = useOperations({ settings: { slots: 20, runSeconds: 0.1 } });

const getRobot = async (
	name: string,
	options: Partial<ExecuteOptions> = {},
	parameters: INodeParameters = {},
) => await run('robot', 'get', { robotId: locator(name, 'name'), ...parameters }, options);

const named = async (name: string, fields: object = {}) =>
	await newRobot(sandbox, { name, ...fields });

describe('a robot selected by its name', () => {
	it('is found by the exact name, with one request', async () => {
		const name = unique('Prices');
		const robotId = await named(name);
		for (const other of [name.toLowerCase(), `${name} of the week`, `All ${name}`]) {
			await named(other);
		}
		const { json } = succeeded(await run('run', 'start', { robotId: locator(name, 'name') }));
		expect(json).toHaveLength(1);
		const sent = await sandbox.sent();
		expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
			'GET /robots',
			`POST /robots/${robotId}/runs`,
		]);
		expect(sent[0]?.query).toEqual({ q: name, limit: '100', offset: '0' });
	});

	it('is looked up once for all items, as every other name is', async () => {
		const names = [unique('Prices'), unique('Reviews')];
		const ids = [await named(names[0] ?? ''), await named(names[1] ?? '')];
		const items = Array.from({ length: 20 }, (_, index) => ({ robot: names[index % 2] }));
		const { json } = await getRobot('={{ $json.robot }}', { items });
		expect(json.map(({ id }) => id)).toEqual(items.map((_, index) => ids[index % 2]));
		expect(await sandbox.count(/^GET \/robots\?/)).toBe(2);
	});

	it('may be an agent, but fields for agents accept only agents', async () => {
		const name = unique('Prices');
		await named(name);
		const agentId = await named(name, { type: 'agent', prompt: 'Get the prices' });
		const { json } = await run('agent', 'get', { agentId: locator(` ${name} `, 'name') });
		expect(json).toMatchObject([{ id: agentId }]);
		expect((await sandbox.sent())[0]?.query).toMatchObject({ q: name, type: 'agent' });
	});

	it('also works on a self-hosted server', async () => {
		const name = unique('Prices');
		const robotId = await named(name);
		await named(name.toUpperCase());
		const credentials = sandbox.serverCredentials();
		const { json } = await getRobot(name, { credentials }, { server: 'selfHosted' });
		expect(json).toMatchObject([{ id: robotId }]);
	});

	it('the same workflow finds another robot with another credential', async () => {
		const name = unique('Prices');
		const own = await named(name);
		const other = await named(name, { teamId: TEAM_ID });
		const ids: unknown[] = [];
		for (const teamId of ['', TEAM_ID]) {
			const { json } = await getRobot(name, { credentials: sandbox.credentials({ teamId }) });
			ids.push(json[0]?.id);
		}
		expect(ids).toEqual([own, other]);
	});
});

describe('a name that does not belong to exactly one robot', () => {
	it('causes an error that lists similar names', async () => {
		const name = unique('Weather');
		await named(name);
		const { error } = await getRobot(name.toLowerCase());
		expect(error).toMatchObject({
			message: `There is no robot with the name '${name.toLowerCase()}'`,
			description: expect.stringContaining(`'${name}'`),
		});
		expect(await sandbox.sent()).toHaveLength(1);
	});

	it('causes an error that lists up to ten robots if no name is similar', async () => {
		const { error } = await getRobot('No such robot');
		expect(error?.description?.match(/'/g)).toHaveLength(20);
		expect((await sandbox.sent()).map(({ query }) => query)).toEqual([
			{ q: 'No such robot', limit: '100', offset: '0' },
			{ limit: '10', offset: '0' },
		]);
	});

	it('causes an error that lists the IDs if several robots have the name', async () => {
		const name = unique('Prices');
		const ids = [await named(name), await named(name)];
		const { error } = await getRobot(name);
		expect(error?.message).toBe(`2 robots have the name '${name}'`);
		for (const id of ids) expect(error?.description).toContain(`${id} (scrape)`);
	});

	it('tells a model which names exist', async () => {
		const node = { onError: 'continueRegularOutput' } as const;
		const { json } = await getRobot('shop products', { type: TOOL_NODE, node });
		expect(json[0]?.error).toContain("'Shop products'");
	});
});

const setup = (parameters: INodeParameters) => ({
	parameters,
	credentials: sandbox.credentials(),
});

it('lists in the editor show the fields, inputs and runs of a robot selected by name', async () => {
	const robotId = await newRecorded(sandbox, {});
	const [runId = ''] = await sandbox.control.runs({
		robotId,
		run: { data: { listData: [{ Product: 'Desk' }] } },
	});
	const { name } = (await sandbox.owner.get(`/robots/${robotId}`)).data;
	const parameters = maxun('run', 'runAndWait', { robotId: locator(String(name), 'name') });
	const fields = await loadOptions('getRunFields', setup(parameters));
	expect(fields).toContainEqual(expect.objectContaining({ value: 'Product' }));
	const inputs = await mapperFields('getRobotInputs', setup(parameters));
	expect(inputs.emptyFieldsNotice).toMatch(/^Maxun does not list inputs/);
	expect(await sandbox.count(new RegExp(`^GET /robots/${robotId}$`))).toBe(1);
	const compare = maxun('run', 'compare', { robotId: locator(String(name), 'name') });
	const { results } = await listSearch('searchRuns', setup(compare));
	expect(results.map(({ value }) => value)).toContain(runId);
	expect(await sandbox.count(new RegExp(`^GET /robots/${robotId}/runs`))).toBeGreaterThan(0);
});

describe('after a pause', () => {
	const paused = usePausing(sandbox);

	it('the robot is not looked up again, even if somebody has renamed it', async () => {
		const name = unique('Prices');
		const robotId = await named(name);
		const urls = ['articles', 'products'].map((path) => `${sandbox.siteUrl}/${path}`);
		const options = { pauseAfter: 1, maxQueued: 1 };
		const parameters = { robotId: locator(name, 'name'), urls, output: 'simplified', options };
		const execution = await paused.pause([{}], maxun('run', 'runOnUrls', parameters));
		await sandbox.owner.patch(`/robots/${robotId}`, { name: unique('Renamed') });
		await paused.finishAndResume(execution);
		await paused.pausesAgain(execution);
		await paused.finishAndResume(execution);
		const { json } = await paused.end(execution);
		expect(json.map(({ pageUrl }) => pageUrl)).toEqual(urls);
		expect(await sandbox.count(/^GET \/robots\?q=Prices/)).toBe(1);
	});
});
