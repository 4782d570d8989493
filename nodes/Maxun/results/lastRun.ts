import { MaxunFault, recover } from '../http/fault';
import type { Run } from '../servers/entities';
import type { MaxunServer } from '../servers/types';
import { itemsOf } from './output';
import { rowsOf } from './rows';
import type { Item, RunOutput, RunReader } from './types';

/** The latest of a robot's last three completed runs that has rows; undefined if none has. */
export async function lastGoodRun(
	{ runs }: Pick<MaxunServer, 'runs'>,
	robotId: string,
): Promise<Run | undefined> {
	const listed = await runs.list(robotId, { status: ['success'] }, 3);
	for (const { id } of listed) {
		const run = await recover(runs.get(id, [robotId]), { notFound: () => undefined });
		if (run && rowsOf(run).length > 0) return run;
	}
	return undefined;
}

/** The items of a robot's last completed run, which a test of the node returns. Doesn't start a run. */
export async function itemsOfLastRun(
	reader: RunReader,
	robotId: string,
	output: RunOutput,
): Promise<Item[]> {
	const run = await lastGoodRun(reader.maxun, robotId);
	if (!run) {
		throw new MaxunFault(
			`Robot ${robotId} has no completed run with data`,
			"To start a run, turn off 'Use Last Run When Testing'",
		);
	}
	reader.hint(`This is the data of run ${run.id}. Production executions start a new run instead`);
	return await itemsOf(reader, run, output);
}
