import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { lastGoodRun } from '../runs/lastRun';
import type { Run } from '../servers/entities';
import type { MaxunServer } from '../servers/types';
import { selected } from './context';

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
