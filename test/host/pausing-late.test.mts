import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../helpers/until.mts';
import { openStage, type Stage } from './stage.mts';
import { WaitingWorkflow } from './waiting.mts';

/** How often each run is waited for. */
const TIMES = 5;

/** The lengths of the runs in seconds. */
const LENGTHS = [61, 180, 1200];

/** How much later than its run an execution may end: seconds, or a part of the length of the run. */
const LATEST = { seconds: 75, part: 0.1 };

const MINUTE = 60_000;

let stage: Stage;

beforeAll(async () => {
	stage = await openStage({ settings: { slots: 100 } });
});

afterAll(async () => await stage?.close());

/** Starts executions that wait for runs of a length. @returns what to call for the seconds by which they end later */
async function start(length: number): Promise<() => Promise<number[]>> {
	await stage.sandbox.control.settings({ runSeconds: length });
	const name = `Runs of ${length} seconds`;
	const workflow = await WaitingWorkflow.publish(stage, name, {
		robots: TIMES,
		pauseAfter: 60,
		timeoutMinutes: 30,
	});
	await workflow.call(workflow.robots);
	await until('the runs', MINUTE, async () => {
		const { list } = await stage.maxun.get('/runs/active');
		const own = list.filter((run) => workflow.robots.includes(String(run.robotId)));
		return own.filter(({ status }) => status === 'running').length === TIMES || undefined;
	});
	return async () => {
		const ended = await workflow.reach(TIMES, length * 1000 + 5 * MINUTE, 'success', 'error');
		return await Promise.all(
			ended.map(async ({ id, stoppedAt }) => {
				const { item } = await workflow.resultOf(id);
				return (Date.parse(String(stoppedAt)) - Date.parse(String(item.finishedAt))) / 1000;
			}),
		);
	};
}

it(
	'results are at most 75 seconds late, or a tenth of the length of the run',
	async () => {
		const waits: Array<[length: number, late: () => Promise<number[]>]> = [];
		for (const length of LENGTHS) waits.push([length, await start(length)]);
		for (const [length, late] of waits) {
			const seconds = (await late()).sort((a, b) => a - b);
			console.log(
				`Runs of ${length} s: ${seconds.map((value) => value.toFixed(1)).join(', ')} s late`,
			);
			expect(seconds).toHaveLength(TIMES);
			expect(seconds.at(-1)).toBeLessThanOrEqual(Math.max(LATEST.seconds, LATEST.part * length));
		}
	},
	30 * MINUTE,
);
