import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { recover } from '../http/fault';
import { rowsOf } from '../runs/rows';
import type { Run } from '../servers/entities';
import type { MaxunServer } from '../servers/types';
import { selected } from './context';

/** Number of successful runs to search for one with data. */
const MAX_RUNS = 3;

/** The run that shows what a node returns: the selected run, or the last successful run with data of its robot. */
export async function exampleRun(
	context: ILoadOptionsFunctions,
	maxun: MaxunServer,
): Promise<Run | undefined> {
	const robotId = robotIn(context);
	const runId = selected(context, 'runId');
	if (runId) return await maxun.runs.get(runId, robotId ? [robotId] : []);
	return robotId ? await lastGoodRun(maxun, robotId) : undefined;
}

/** The selected robot or agent; empty if there is none. */
export const robotIn = (context: ILoadOptionsFunctions) =>
	selected(context, 'robotId') || selected(context, 'agentId');

/** The last successful run of a robot that has rows; undefined if there is none. */
async function lastGoodRun({ runs }: MaxunServer, robotId: string): Promise<Run | undefined> {
	const listed = await runs.list(robotId, { status: ['success'] }, MAX_RUNS);
	for (const { id } of listed) {
		const run = await recover(runs.get(id, [robotId]), { notFound: () => undefined });
		if (run && rowsOf(run).length > 0) return run;
	}
	return undefined;
}
