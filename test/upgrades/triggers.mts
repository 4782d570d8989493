import type { INode, INodeParameters } from 'n8n-workflow';
import { z } from 'zod';
import { TriggerHost, StaticData } from '../helpers/engine/index.mts';
import type { TestSandbox } from '../helpers/sandbox.mts';
import { Poller } from '../engine/support/polling.mts';

const parametersFor = (robotId: string): INodeParameters => ({
	events: ['run_completed'],
	robotIds: [robotId],
});

const common = {
	/** When the state was stored, in epoch milliseconds. */
	at: z.number(),
	robotId: z.string(),
	staticData: z.record(z.any()),
	/** Runs that have started the workflow. */
	processed: z.array(z.string()),
	/** Runs that ended since. */
	missed: z.array(z.string()),
};

/** The static data of a webhook trigger. */
export const SavedTrigger = z.object({
	...common,
	/** What n8n remembers of the processed runs, by node ID. */
	remembered: z.record(z.array(z.string())),
});
export type SavedTrigger = z.output<typeof SavedTrigger>;

/** The static data of a polling trigger. */
export const SavedPolling = z.object({
	...common,
	/** A run that could not be read in the last poll. */
	unreadable: z.string(),
});
export type SavedPolling = z.output<typeof SavedPolling>;

/** An n8n instance with a webhook trigger for a robot. */
export const startTrigger = async (
	sandbox: TestSandbox,
	{ robotId, staticData = {}, remembered = {} }: Partial<SavedTrigger>,
	node: Partial<INode> = {},
	port?: number,
) =>
	await TriggerHost.start({
		node,
		parameters: parametersFor(robotId ?? ''),
		credentials: sandbox.credentials(),
		staticData: new StaticData(staticData, new Map(Object.entries(remembered))),
		port,
	});

/** A workflow with a polling trigger for a robot. */
export function pollerFor(
	sandbox: TestSandbox,
	{ robotId = '', staticData = {} }: Partial<SavedPolling>,
): Poller {
	const poller = new Poller(sandbox, parametersFor(robotId));
	poller.staticData = new StaticData(staticData);
	return poller;
}

/** Makes a run unreadable. */
export const hide = async ({ control }: TestSandbox, runId: string) =>
	await control.fault({ kind: 'status', status: 404, path: `/runs/${runId}$`, times: 100 });
