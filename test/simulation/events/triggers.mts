import type { INode, INodeParameters } from 'n8n-workflow';
import type { Robot, Run } from '../maxun/service.mts';
import type { WorkflowPlan } from './history.mts';
import type { Account } from './maxun/account.mts';
import { credentialsOf } from './credentials.mts';
import { newWorkflow, node, type StoredWorkflow } from '../n8n/workflows.mts';

/** What a trigger waits for, according to its parameters. */
export interface Selection {
	account: string;
	/** Empty for all robots. */
	robotIds: string[];
	events: string[];
}

const EVENTS: Record<Run['status'], string | undefined> = {
	queued: undefined,
	running: undefined,
	success: 'run_completed',
	failed: 'run_failed',
	aborted: 'run_aborted',
};

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

export function selectionOf({ parameters, credentials }: INode): Selection {
	const account = credentials?.maxunCloudApi?.id ?? '';
	return { account, robotIds: listOf(parameters.robotIds), events: listOf(parameters.events) };
}

export const selects = ({ robotIds, events }: Selection, { robotId, status }: Run): boolean =>
	(robotIds.length === 0 || robotIds.includes(robotId)) && events.includes(EVENTS[status] ?? '');

export const isWebhook = ({ type }: INode): boolean => type === 'maxunTrigger';

export const isByHand = ({ parameters }: INode): boolean => parameters.registration === 'manual';

/** Whether the trigger also starts the workflow for runs whose events were lost. */
export function catchesUp({ parameters: { options } }: INode): boolean {
	const isOff = typeof options === 'object' && options !== null && 'catchUp' in options;
	return !isOff || options.catchUp !== false;
}

/** The path of the trigger's webhook in n8n. */
export const pathOf = ({ webhookId }: INode): string => `/webhook/${webhookId}/webhook`;

/** A planned workflow, as n8n stores it. */
export function storedWorkflow(
	plan: WorkflowPlan,
	index: number,
	robots: Robot[],
	account: Account,
): StoredWorkflow {
	const name = `trigger-${index}`;
	const isPolling = plan.trigger === 'polling';
	// Only the polling trigger can watch all robots.
	const numbers = plan.robots.length === 0 && !isPolling ? [0] : plan.robots;
	const events = ['run_completed', ...(plan.failedToo ? ['run_failed'] : [])];
	const parameters: INodeParameters = {
		server: account.own.kind,
		events: isPolling && plan.abortedToo ? [...events, 'run_aborted'] : events,
		robotIds: idsOf(numbers, robots),
		registration: plan.byHand && account.own.kind === 'selfHosted' ? 'manual' : 'automatic',
		output: 'simplified',
		options: isPolling ? {} : { catchUp: plan.catchUp },
	};
	const trigger: INode = {
		id: `node of ${name}`,
		name,
		type: isPolling ? 'maxunPollingTrigger' : 'maxunTrigger',
		typeVersion: 1,
		position: [0, 0],
		webhookId: isPolling ? undefined : `hook-${name}`,
		credentials: credentialsOf(account),
		parameters,
	};
	const others = plan.hasOtherPoll ? [node('otherPoll', 'otherPoll')] : [];
	return newWorkflow(`workflow ${index}`, trigger, others);
}

export const idsOf = (numbers: number[], robots: Robot[]): string[] =>
	numbers.flatMap((number) => robots[number]?.id ?? []);
