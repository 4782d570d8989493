import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { nameIn, NAMED_LOCATORS } from '../engine/names';
import { lastGoodRun } from '../runs/lastRun';
import type { Run } from '../servers/entities';
import { idOfNamed } from '../servers/named';
import type { MaxunServer } from '../servers/types';
import { selected } from './context';

/** The run that shows what a node returns: the selected run, or the last successful run with data of its robot. */
export async function exampleRun(
	context: ILoadOptionsFunctions,
	maxun: MaxunServer,
): Promise<Run | undefined> {
	const robotId = await robotIn(context, maxun);
	const runId = selected(context, 'runId');
	if (runId) return await maxun.runs.get(runId, robotId ? [robotId] : []);
	return robotId ? await lastGoodRun(maxun, robotId) : undefined;
}

/** The ID of the selected robot or agent; empty if there is none. */
export async function robotIn(context: ILoadOptionsFunctions, maxun: MaxunServer): Promise<string> {
	const selection = NAMED_LOCATORS.find(([field]) => selected(context, field));
	if (!selection) return '';
	const [field, type] = selection;
	const name = nameIn(context.getCurrentNodeParameter(field));
	return name === undefined ? selected(context, field) : await idOfNamed(maxun, name, type);
}

/** Whether a robot or an agent is selected. */
export const isRobotSelected = (context: ILoadOptionsFunctions): boolean =>
	NAMED_LOCATORS.some(([field]) => selected(context, field));
