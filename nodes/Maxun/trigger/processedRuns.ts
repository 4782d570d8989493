import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import { FEWEST_ENTRIES, ProcessedTable } from '../runs/processedTable';
import { endOf } from '../servers/dates';
import type { Run } from '../servers/entities';

/** How many entries n8n keeps, two for each run. Each execution reads and writes all of them in about 6 ms. */
const MOST_KEPT = 7_500;

/** The entries of this many runs always fit. */
const AT_ONCE = FEWEST_ENTRIES / 8;

/**
 * n8n usually reads and writes the whole table in less time, in milliseconds. With eight processes on two cores, 3 % of
 * these accesses take longer, and 32 % longer than 100.
 */
const WRITING_TIME = 400;

const ATTEMPTS = 10;

/** A run that has ended. `end` is 0 if the run doesn't show it. */
export type MarkedRun = Pick<Run, 'id' | 'status'> & { end: number };

export const markedRun = (run: Run): MarkedRun => {
	const { id, status } = run;
	return { id, status, end: endOf(run) ?? 0 };
};

/** A run that has failed may later complete under the same ID. Then it is new. */
export const stateOf = ({ id, status }: Pick<Run, 'id' | 'status'>): string => `${id} ${status}`;

/**
 * Records runs in the table of n8n's _Remove Duplicates_ node. Processes overwrite each other's records there, so each
 * checks again. The first process that still finds its own mark wins. Never throws, because a run that n8n can't
 * record may start the workflow twice, which is better than losing it.
 * @param states the runs, as `stateOf` returns them
 * @returns the runs that no other execution has recorded. n8n 1 starts an execution again if its worker stops. Then it
 * gets the same runs
 */
export async function recordRuns(
	context: IExecuteFunctions,
	states: string[],
	warn: (message: string) => void,
): Promise<string[]> {
	const recorded: string[] = [];
	for (let at = 0; at < states.length; at += AT_ONCE) {
		recorded.push(...(await recordSome(context, states.slice(at, at + AT_ONCE), warn)));
	}
	return recorded;
}

async function recordSome(
	context: IExecuteFunctions,
	states: string[],
	warn: (message: string) => void,
): Promise<string[]> {
	const table = new ProcessedTable(context, MOST_KEPT);
	const ownMark = (state: string) => `${state} ${context.getExecutionId()}`;
	const own: string[] = [];
	let open = states;
	const excessOf = (known: Set<unknown>) =>
		open.filter((state) => known.has(state) && !known.has(ownMark(state))).map(ownMark);
	try {
		for (let attempt = 1; attempt <= ATTEMPTS && open.length > 0; attempt++) {
			if (attempt > 1) await sleep(WRITING_TIME);
			const entries = open.flatMap((state) => [state, ownMark(state)]);
			const known = await table.add(entries, excessOf);
			own.push(...open.filter((state) => known.has(state) && known.has(ownMark(state))));
			open = open.filter((state) => !known.has(state));
		}
		if (open.length > 0) throw new Error('other executions have overwritten its record');
	} catch (error) {
		warn(`a run may start the workflow twice: ${String(error)}`);
	}
	return [...own, ...open];
}
