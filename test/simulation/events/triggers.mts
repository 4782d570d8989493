import type { INode, INodeParameters } from 'n8n-workflow';
import type { Robot, Run } from '../maxun/service.mts';
import type { WorkflowPlan } from './history.mts';
import type { Account } from './maxun/account.mts';
import { credentialsOf } from './credentials.mts';
import { connect, newWorkflow, node, type StoredWorkflow } from '../n8n/workflows.mts';

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
	aborted: 'run_canceled',
};

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

export function selectionOf({ parameters, credentials }: INode): Selection {
	const account = credentials?.maxunCloudApi?.id ?? '';
	const events = listOf(parameters.events);
	const robotIds = parameters.watch === 'all' ? [] : listOf(parameters.robotIds);
	return { account, robotIds, events };
}

/** The parameters that select these robots; all robots if there are none. */
export const watching = (robotIds: string[]): INodeParameters => ({
	watch: robotIds.length > 0 ? 'robots' : 'all',
	robotIds,
});

export function selects({ robotIds, events }: Selection, run: Run): boolean {
	const { robotId, status } = run;
	const isSelected = robotIds.length === 0 || robotIds.includes(robotId);
	return isSelected && events.includes(EVENTS[status] ?? '');
}

/** Whether the trigger registers webhooks on its robots. Maxun doesn't send an event for canceled runs. */
export function hasWebhooks({ parameters: { watch, options, events } }: INode): boolean {
	const isOff = typeof options === 'object' && options !== null && 'pollOnly' in options;
	const isSent = listOf(events).some((event) => event !== 'run_canceled');
	return isSent && watch !== 'all' && !(isOff && options.pollOnly === true);
}

/** Whether a webhook reports each run that the trigger waits for. Maxun doesn't send an event for canceled runs. */
export const isRung = (trigger: INode): boolean =>
	hasWebhooks(trigger) && !selectionOf(trigger).events.includes('run_canceled');

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
	const events = [
		'run_completed',
		...(plan.failedToo ? ['run_failed'] : []),
		...(plan.abortedToo ? ['run_canceled'] : []),
	];
	const trigger: INode = {
		id: `node of ${name}`,
		name,
		type: 'maxunTrigger',
		typeVersion: 2,
		position: [0, 0],
		webhookId: `hook-${name}`,
		credentials: credentialsOf(account),
		parameters: {
			server: account.own.kind,
			events,
			...watching(idsOf(plan.robots, robots)),
			output: 'simplified',
			options: {
				...(!plan.webhook && { pollOnly: true }),
			},
		},
	};
	const polls = plan.hasOtherPoll ? [node('otherPoll', 'otherPoll')] : [];
	const code = plan.writesData ? [node('code', 'code')] : [];
	const connections = plan.writesData ? connect({ [name]: ['code'] }) : {};
	return newWorkflow(`workflow ${index}`, trigger, [...polls, ...code], connections);
}

export const idsOf = (numbers: number[], robots: Robot[]): string[] =>
	numbers.flatMap((number) => robots[number]?.id ?? []);
