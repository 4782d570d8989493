import type { IDataObject } from 'n8n-workflow';
import type { MaxunServer } from '../servers/types';
import type { Item } from '../results/types';

/*
 * What a tool returns before its result is there. Clients of MCP give up after a minute, although the run continues. Each
 * item says what to call next.
 */

/** @param fields whatever identifies the work in Maxun */
const item = (fields: IDataObject, next: string): Item[] => [{ json: { ...fields, next } }];

/** For a run that continues. The tool for Run: Get returns its data later. */
export const runContinues = (
	{ features }: Pick<MaxunServer, 'features'>,
	run: { status: string; runId: string; robotId?: string },
): Item[] => {
	const fields = features.runsByRobot ? 'this runId and robotId' : 'this runId';
	return item(
		run,
		`Call the tool for 'Run: Get' with ${fields} in a minute, because the run continues in Maxun`,
	);
};

/** For an agent that Maxun is building. */
export const agentIsBuilt = (agentId: string): Item[] =>
	item(
		{ status: 'creating', agentId },
		"Call the tool for 'Agent: Run' with this agentId in a minute or two, because Maxun is still building the agent",
	);

/** For a run that has not started, and of which nothing remains in Maxun. */
export const notStarted = (robotId: string | undefined): Item[] =>
	item(
		{ status: 'not started', ...(robotId !== undefined && { robotId }) },
		'Call this tool again in a minute, because no browser was free and nothing was started',
	);
