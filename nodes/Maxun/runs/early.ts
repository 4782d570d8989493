import type { IDataObject } from 'n8n-workflow';
import type { Item } from '../results/types';
import type { MaxunServer } from '../servers/types';
import type { WaitSettings } from './types';

/** A tool's answer before its result is ready, which says what to call next. MCP clients give up after a minute. */

const item = (fields: IDataObject, next: string): Item[] => [{ json: { ...fields, next } }];

export const runContinues = (
	{ features }: Pick<MaxunServer, 'features'>,
	run: { status: string; runId: string; robotId?: string },
	{ origin }: Pick<WaitSettings, 'origin'> = {},
): Item[] => {
	const needed = features.has('runsByRobot') ? 'this runId and robotId' : 'this runId';
	return item(
		{ ...origin, ...run },
		`Call the tool for 'Run: Get' with ${needed} in a minute, because the run continues in Maxun`,
	);
};

export const agentIsBuilt = (agentId: string): Item[] =>
	item(
		{ status: 'creating', agentId },
		"Call the tool for 'Agent: Run and Wait' with this agentId in a minute or two, because Maxun is still building the agent",
	);

export const notStarted = (
	{ robotId, subject, origin }: Pick<WaitSettings, 'robotId' | 'subject' | 'origin'>,
	busy = 'Other runs come first',
): Item[] =>
	item(
		{ ...origin, status: 'not started', robotId },
		`Call this tool again in a minute${subject ? `, only for ${subject}` : ''}, because nothing was started. ${busy}`,
	);

/** Maxun may still create or start something. */
export const inProgress = ({ robotId, origin }: Partial<WaitSettings> = {}): Item[] =>
	item(
		{ ...origin, status: 'in progress', robotId },
		'Do not retry this call now, because Maxun is still processing it. In a few minutes, use a tool that lists runs, robots or agents to find the result',
	);
