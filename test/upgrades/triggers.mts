import type { INode, INodeParameters } from 'n8n-workflow';
import { z } from 'zod';
import { TriggerHost, StaticData } from '../helpers/engine/index.mts';
import type { TestSandbox } from '../helpers/sandbox.mts';

const parametersFor = (robotId: string): INodeParameters => ({
	events: ['run_completed'],
	output: 'simplified',
	robotIds: [robotId],
});

/** A trigger's static data. */
export const SavedTrigger = z.object({
	/** When the state was stored, in epoch milliseconds. */
	at: z.number(),
	robotId: z.string(),
	staticData: z.record(z.any()),
	/** Runs that have started the workflow. */
	processed: z.array(z.string()),
	/** Runs that have ended since. */
	missed: z.array(z.string()),
	/** What n8n remembers about the processed runs, by node ID. */
	remembered: z.record(z.array(z.string())),
});
export type SavedTrigger = z.output<typeof SavedTrigger>;

/** An n8n instance with a trigger for a robot. */
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
