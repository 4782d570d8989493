import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Hint } from '../results/hint';
import type { StartedRun, TemporaryRobot } from '../runs/types';

/** What the user should know about the results of an entry. */
export type HintArguments = Parameters<Hint>;

/** Why an item failed. */
export interface ItemError {
	message: string;
	description?: string;
	/** The reason alone, for a list of pages. */
	reason: string;
	/** The data that failed a check, which the error item contains in place of the description. */
	data?: IDataObject;
}

/** What a pause and the next attempt need to know of one run, or of another job, of an input item. */
export type ItemState =
	| {
			todo: true;
			/** When the node first tried to start the run, in epoch milliseconds. */
			since?: number;
			/** Why the server could not start it yet. */
			busy?: string;
			/** A robot for the run that already exists. */
			robot?: TemporaryRobot;
	  }
	| {
			run: StartedRun;
			/** When the node first saw that the run was working, or before that, its start, in epoch milliseconds. */
			since: number;
			/** Whether Maxun has begun to work on it. */
			isWorking?: true;
	  }
	| {
			items: INodeExecutionData[];
			/** The run of the user's robot that the items belong to. */
			runId?: string;
			/** It is shown at the end, perhaps after a pause or another attempt. */
			hints?: HintArguments[];
	  }
	| {
			error: ItemError;
			hints?: HintArguments[];
			/** Whether no other attempt may begin: it would fail, too, or could do something twice. */
			final?: true;
	  };

/** What an execution remembers during a pause, and for the next attempt. */
export interface Memory {
	/** The states of each item's entries. */
	states: ItemState[][];
	/** The IDs of the robots that parameters name. */
	names: Record<string, string>;
	/** Number of attempts with Retry On Fail so far. n8n's own count restarts after a pause. */
	attempts: number;
	/** The account's credits before the first run, for the hint at the end. Missing if they were not read. */
	credits?: number;
}
