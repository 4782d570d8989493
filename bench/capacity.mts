import { newRobot } from '../test/helpers/fixtures.mts';
import { until } from '../test/helpers/until.mts';
import { openStage } from '../test/host/stage.mts';
import { pausingWorkflow } from '../test/host/waiting.mts';
import type { Measurement } from './report.mts';

const EXECUTIONS = 100;
const ROBOTS = 10;

/** P4: executions in an n8n instance while 100 others are waiting. */
export async function capacity(): Promise<Measurement[]> {
	const stage = await openStage({ settings: { slots: EXECUTIONS, runSeconds: 600 } });
	try {
		const { rest, n8n, sandbox } = stage;
		const robots: string[] = [];
		for (let index = 0; index < ROBOTS; index++) {
			robots.push(await newRobot(sandbox));
		}
		const { id } = await rest.createWorkflow(pausingWorkflow('Bench', 'bench', { pauseAfter: 1 }));
		await rest.activate(id);
		for (let index = 0; index < EXECUTIONS; index++) {
			await until('a start', 20_000, async () => {
				const body = JSON.stringify({ robotId: robots[index % ROBOTS] });
				const headers = { 'content-type': 'application/json' };
				const { ok } = await fetch(`${n8n.url}/webhook/bench`, { method: 'POST', headers, body });
				return ok;
			});
		}
		const inState = async (state: string) =>
			(await rest.executions(id)).filter(({ status }) => status === state).length;
		await until('all to wait', 120_000, async () => (await inState('waiting')) === EXECUTIONS);
		const running = await inState('running');
		const what = `n8n executions running while ${EXECUTIONS} wait`;
		return [
			{
				id: 'P4',
				what,
				unit: 'executions',
				ours: running,
				other: 'one that asks',
				theirs: EXECUTIONS,
				ratio: running,
				atMost: 0,
			},
		];
	} finally {
		await stage.close();
	}
}
