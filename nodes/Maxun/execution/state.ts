import type { INodeExecutionData } from 'n8n-workflow';
import type { Leftover, StartedRun, TemporaryRobot } from '../runs/types';

/** Why an item failed. */
export interface ItemError {
	message: string;
	description?: string;
}

/** What a pause and the next attempt need to know of one run, or of another job, of an input item. */
export type ItemState =
	| {
			todo: true;
			/** When the node first tried to start the run, in epoch milliseconds; the timeout counts from then on. */
			since?: number;
			/** Why the server could not start it yet. */
			busy?: string;
			/** A robot for the run that already exists. */
			robot?: TemporaryRobot;
	  }
	| { run: StartedRun; since: number }
	| {
			items: INodeExecutionData[];
			/** The page that has no items because it was skipped, with the reason. */
			skipped?: string;
			/** The page whose run succeeded without data. */
			empty?: string;
			/** What the user should know about the items, and how often it applies. Shown at the end, perhaps after a pause. */
			hints?: Record<string, number>;
	  }
	| {
			error: ItemError;
			/** The run for which the next attempt waits again. */
			continuing?: StartedRun;
			/** Whether no other attempt may begin: it could do something twice. */
			final?: true;
	  };

/** What an execution remembers during a pause, and for the next attempt. */
export interface Memory {
	/** The states of each item's entries. */
	states: ItemState[][];
	/** Temporary robots that could not be deleted. */
	leftovers: Leftover[];
	/** Number of attempts with Retry On Fail so far. n8n itself counts anew after a pause. */
	attempts: number;
	/** The account's credits before the first run, for the hint at the end. It is missing if nobody asked for them. */
	credits?: number;
}
