import { describe, expect, it } from 'vitest';
import { newRobot } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { PATIENCE, until } from '../helpers/until.mts';
import { succeeded, useOperations } from './support/details.mts';
import { usePausing } from './support/pausing.mts';

const { sandbox, run } = useOperations();
const paused = usePausing(sandbox);

const OPTIONS = {
	pauseAfter: 1,
	ifNoData: 'nothing',
	columns: { values: [{ column: 'Price', type: 'number' }] },
};
const NO_DATA = `No data was captured. Maxun may not be able to open the page: robot 'Empty'`;
const NOT_CONVERTED =
	/^Some values are not numbers, so they are empty\. .*\. Columns: 'Price' \(2 of 3, such as 'on request'\)$/;

const end = async (runId: string, rows: object[]) =>
	await sandbox.control.patchRun(runId, { status: 'success', data: { listData: rows } });

const runOf = async (robotId: string) =>
	await until('a run', PATIENCE, async () => {
		const { list } = await sandbox.owner.get(`/robots/${robotId}/runs?status=running,queued`);
		return list[0] && String(list[0].id);
	});

describe('hints about runs that have ended', () => {
	it('are shown after a pause', async () => {
		const robots = [
			await newRobot(sandbox, { name: 'Empty' }),
			await newRobot(sandbox),
			await newRobot(sandbox),
		];
		const items = robots.map((robotId) => ({ robotId }));
		const execution = await paused.pause(items, { output: 'rows', options: OPTIONS });
		await end(await runOf(robots[0] ?? ''), []);
		await end(await runOf(robots[1] ?? ''), [{ Price: 'on request' }]);
		await paused.passTime(execution);
		await paused.pausesAgain(execution);
		await end(await runOf(robots[2] ?? ''), [{ Price: '12' }, { Price: 'sold out' }]);
		await paused.passTime(execution);
		const { json } = await paused.end(execution);
		expect(json).toEqual([{ Price: null }, { Price: 12 }, { Price: null }]);
		expect(paused.host.hints(execution)).toEqual([NO_DATA, expect.stringMatching(NOT_CONVERTED)]);
	});

	it('are shown once after another attempt', async () => {
		const robots = [await newRobot(sandbox, { name: 'Empty' }), await newRobot(sandbox)];
		const parameters = { robotId: locator('={{ $json.robotId }}'), options: OPTIONS };
		const running = run('run', 'runAndWait', parameters, {
			items: robots.map((robotId) => ({ robotId })),
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		});
		await end(await runOf(robots[0] ?? ''), []);
		const failed = await runOf(robots[1] ?? '');
		await sandbox.control.patchRun(failed ?? '', { status: 'failed' });
		await end(await runOf(robots[1] ?? ''), [{ Price: '12' }]);
		const { json, hints } = succeeded(await running);
		expect(json).toHaveLength(1);
		expect(hints).toEqual([NO_DATA]);
	});
});
