import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import { isObject, type OneOf } from '../http/values';
import type { Hint } from '../results/hint';
import type { Verdict } from '../results/verdict';
import type { KeptRobot, Learnt, StartedRun, TemporaryRobot } from '../runs/types';

export type HintArguments = Parameters<Hint>;

interface ItemError {
	message: string;
	description?: string;
	reason: string;
	/** What failed a data check. The error item contains it instead of the description. */
	data?: IDataObject;
}

/** `known` is the robot that earlier executions have kept. */
interface RobotToKeep {
	robotId: string;
	runId: string;
	/** A new robot is temporary until its name says that it is kept. */
	isNew: boolean;
	known?: KeptRobot;
}

interface Todo {
	todo: true;
	/** When the node first tried to start the run, in epoch milliseconds. */
	begunAt?: number;
	busy?: string;
	robot?: TemporaryRobot;
	/** The run that showed that the robot or its selectors must change. If the change fails, this run is returned. */
	former?: StartedRun;
	earlier?: ItemError;
}

interface Running {
	run: StartedRun;
	/** When Maxun began to work on the run; until then, when the run started. In epoch milliseconds. */
	begunAt: number;
	isWorking?: true;
	/** The run only reads a page, from which the task learns something. */
	isLesson?: true;
	former?: StartedRun;
	/** The run is returned even if values are missing, because learning has failed. */
	isFinal?: true;
}

export interface Done {
	items: INodeExecutionData[];
	runId?: string;
	/** Undefined for items that don't come from the data of a run. */
	verdict?: Verdict;
	/** How long Maxun worked on the run, in milliseconds. */
	took?: number;
	toKeep?: RobotToKeep;
}

interface Failed {
	error: ItemError;
	/** No other attempt may begin, because it would also fail, or could do something twice. */
	isLast?: true;
}

export type ItemState = OneOf<Todo | Running | Done | Failed>;

/** With the task's hints. */
export type StoredState = ItemState & { hints?: HintArguments[] };

const KINDS = ['todo', 'run', 'items', 'error'];

/** n8n stores it during a pause, and the next attempt continues with it. */
export const ExecutionState = z.object({
	/** Checks only the kind, because the data can be large. */
	states: z.array(
		z.array(
			z.custom<StoredState>((value) => isObject(value) && KINDS.some((kind) => kind in value)),
		),
	),
	names: z.record(z.string(), z.string()),
	/** The selectors that tasks have found on pages, by the hash of the lesson's key. */
	learnt: z.record(
		z.string(),
		z.custom<Learnt>((value) => isObject(value) && 'at' in value),
	),
	/** The robots that earlier executions have kept, by mark. */
	keptRobots: z.record(
		z.string(),
		z.custom<KeptRobot>((value) => isObject(value) && 'robotId' in value),
	),
	/** With Retry On Fail. n8n's own count restarts after a pause. */
	attempts: z.number(),
	budget: z
		.object({
			/** The credits before the first run; missing if they weren't read. */
			credits: z.number().optional(),
			/** Runs of all attempts. */
			started: z.number(),
		})
		.optional(),
	/** When a run last started or ended, in epoch milliseconds. */
	lastActivity: z.number(),
});
export type ExecutionState = z.output<typeof ExecutionState>;
