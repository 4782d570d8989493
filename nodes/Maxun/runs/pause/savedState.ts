import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import { MaxunFault } from '../../http/fault';
import { OwnerExecution } from '../abandoned';
import type { PendingRun, StartedRun } from '../types';
import { pastPause } from './engineRequest';
import { resumeUrlOf } from './obstacle';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** An item. Its data isn't read, because it can be large. */
const Item = z.custom<INodeExecutionData>(
	(value) => isObject(value) && 'json' in value && isObject(value.json),
);

const Fields = z.custom<IDataObject>(isObject).optional();

const SavedRun: z.ZodType<StartedRun> = z.object({
	runId: z.string(),
	robotId: z.string(),
	temporary: z.enum(['robot', 'agent']).optional(),
	duplicateOf: z.string().optional(),
	fields: Fields,
	response: Fields,
});

const SavedRuns = z.array(
	z.object({
		itemIndex: z.number(),
		/** Empty for the credential's own team. */
		teamId: z.string(),
		/** When the run was started, in epoch milliseconds. */
		since: z.number(),
		started: SavedRun,
	}),
);

/** What n8n stores of an execution while it is paused. */
export const SavedState = z.object({
	/** The output of each input item; empty for items that wait for a run or its start. */
	outputs: z.array(z.array(Item)),
	/** Number of entries of each input item in `outputs`, if some items have several runs. */
	counts: z.array(z.number()).optional(),
	/** The skipped pages, with the reasons. */
	skipped: z.array(z.string()).default([]),
	/** The pages whose runs succeeded without data. */
	withoutData: z.array(z.string()).default([]),
	runs: SavedRuns,
	/** Runs of failed items that continue in Maxun. With Retry On Fail, the next try waits for them. */
	open: SavedRuns.default([]),
	/** Items whose runs have not started, and when the node first tried, in epoch milliseconds. */
	notStarted: z
		.array(z.object({ itemIndex: z.number(), since: z.number().optional() }))
		.default([]),
	/** The URL of the webhooks, which belong to another execution if a user retries this one. */
	resumeUrl: z.string().optional(),
	/** The robots with a webhook of this execution. */
	robots: z.array(z.object({ teamId: z.string(), robotId: z.string() })),
	/** Items that failed. */
	failed: z.array(z.number()).default([]),
	/** The failed items that a retry could do twice. */
	unrepeatable: z.array(z.number()).default([]),
	/** What remains in Maxun, as sentences. */
	remainders: z.array(z.string()).default([]),
	/** The number of the node's try with Retry On Fail, from 1. */
	tries: z.number().default(1),
});
export type SavedState = z.output<typeof SavedState>;

/** The node's output by input item, and the items that did not fail. */
export interface Results {
	readonly items: INodeExecutionData[][];
	readonly done: ReadonlySet<number>;
	readonly counts: number[];
	readonly skipped: ReadonlySet<string>;
	readonly withoutData: ReadonlySet<string>;
	readonly unrepeatable: ReadonlySet<number>;
	readonly remainders: readonly string[];
}

/** The stored part of the output. */
export const savedOutput = ({ items, counts, skipped, withoutData, unrepeatable }: Results) => ({
	outputs: items,
	counts,
	skipped: [...skipped],
	withoutData: [...withoutData],
	unrepeatable: [...unrepeatable],
});

/** The items without a result that also don't wait for one. */
export function failedItems(
	{ items, done }: Results,
	waiting: Array<{ itemIndex: number }>,
): number[] {
	const others = new Set(waiting.map(({ itemIndex }) => itemIndex));
	return [...items.keys()].filter((index) => !done.has(index) && !others.has(index));
}

/** The stored part of a run. Everything else is read again from the node's parameters. */
export const savedRun = ({
	itemIndex,
	context,
	since,
	runId,
	robotId,
	temporary,
	duplicateOf,
	fields,
	response,
}: PendingRun): SavedState['runs'][number] => ({
	itemIndex,
	teamId: context.maxun.teamId ?? '',
	since,
	started: { runId, robotId, temporary, duplicateOf, fields, response },
});

/** What remains in Maxun, if this part of a stored state can still be read. */
const Remainder = z.object({
	runs: SavedState.shape.runs.catch([]),
	robots: SavedState.shape.robots.catch([]),
	resumeUrl: SavedState.shape.resumeUrl.catch(undefined),
	remainders: SavedState.shape.remainders.catch([]),
	tries: SavedState.shape.tries.catch(1),
});

/** The stored state, whether the timer resumed the execution, and any reason why n8n could not pause it. */
export type ResumedState = SavedState & {
	isTimeUp: boolean;
	obstacle?: string;
	/** Why the state can't be read. The runs must not start again then, because that would charge them twice. */
	fault?: MaxunFault;
};

/** What was stored before the pause; undefined if the execution wasn't paused. */
export function resumedState(context: IExecuteFunctions): ResumedState | undefined {
	const pause = pastPause(context);
	if (!pause) return undefined;
	const { until, obstacle } = pause;
	const timing = { isTimeUp: Date.now() >= until, obstacle };
	const state = SavedState.safeParse(pause.state).data;
	if (state) return { ...state, ...timing };
	const { data: rest } = Remainder.safeParse(pause.state);
	const fault = unreadable(
		rest?.robots.length ? undefined : resumeUrlOf(context),
		rest?.runs.length ? undefined : new OwnerExecution(context).tag,
	);
	return { ...SavedState.parse({ outputs: [], runs: [], robots: [], ...rest }), ...timing, fault };
}

/**
 * @param webhookUrl of webhooks that may remain on unknown robots
 * @param robotTag part of the names of unknown temporary robots that may remain
 */
function unreadable(webhookUrl: string | undefined, robotTag: string | undefined): MaxunFault {
	let fault = new MaxunFault(
		'The stored state of this execution could not be read',
		'Its runs may continue in Maxun. Use Run: Get Many to find them, then start the workflow again',
	);
	if (robotTag !== undefined) {
		fault = fault.adding(
			`Temporary robots whose names contain ${robotTag} may also remain. Delete them`,
		);
	}
	if (webhookUrl === undefined) return fault;
	const { pathname } = new URL(webhookUrl);
	return fault.adding(
		`Webhooks whose URL contains ${pathname} may remain on its robots. Delete them`,
	);
}
