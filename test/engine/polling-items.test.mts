import { describe, expect, it } from 'vitest';
import { newRobot } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { endedRun, Poller } from './support/polling.mts';

const sandbox = useSandbox();

it('a robot that is selected twice emits each run once', async () => {
	const robotId = await newRobot(sandbox);
	const poller = new Poller(sandbox, { robotIds: `${robotId}, ${robotId}` });
	expect(await poller.emitted()).toEqual([]);
	const run = await endedRun(sandbox, robotId, -1);
	expect(await poller.emitted()).toEqual([run]);
});

it('odd entries of a list cost no run', async () => {
	const robotId = await newRobot(sandbox);
	const poller = new Poller(sandbox, { robotIds: [robotId] });
	await poller.emitted();
	const run = await endedRun(sandbox, robotId, -1);
	const finishedAt = new Date(Date.now() + 1000).toISOString();
	const listed = { id: run, robotId, status: 'success', finishedAt };
	await sandbox.control.fault({
		kind: 'status',
		status: 200,
		path: `^/robots/${robotId}/runs`,
		times: 1,
		body: `{"success":true,"data":[null,42,{},{"id":null},${JSON.stringify(listed)}]}`,
	});
	expect(await poller.emitted()).toEqual([run]);
});

describe('a row', () => {
	const ROW = { Product: 'Lamp', Price: 12 };

	/** The row of a run, with the given options. */
	async function rowOf(robotIds: string[], options = {}) {
		const [robotId = ''] = robotIds;
		const poller = new Poller(sandbox, { robotIds, output: 'rows', options });
		await poller.items();
		const data = { listData: [ROW] };
		const runId = await endedRun(sandbox, robotId, -1, { data });
		return { robotId, runId, row: (await poller.items())[0] };
	}

	it('contains only its columns if one robot is selected', async () => {
		const { row } = await rowOf([await newRobot(sandbox)]);
		expect(row).toEqual(ROW);
	});

	it.each([
		['several robots are selected', 2, {}],
		['the option is on', 1, { addRobotAndRun: true }],
	])('also contains its robot and run if %s', async (_, count, options) => {
		const robots = await Promise.all(
			Array.from({ length: count }, async () => await newRobot(sandbox)),
		);
		const { robotId, runId, row } = await rowOf(robots, options);
		expect(row).toEqual({
			...ROW,
			event: 'run_completed',
			robot: { id: robotId, name: expect.any(String) },
			run: {
				id: runId,
				status: 'success',
				startedAt: expect.any(String),
				finishedAt: expect.any(String),
			},
		});
	});

	it('contains only its columns if the option is off', async () => {
		const robots = [await newRobot(sandbox), await newRobot(sandbox)];
		const { row } = await rowOf(robots, { addRobotAndRun: false });
		expect(row).toEqual(ROW);
	});
});
