import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import { FEWEST_ENTRIES, ProcessedTable } from '../runs/processedTable';

/** How many entries n8n remembers, two for each run. Each execution reads and writes all of them in about 6 ms. */
const ENTRIES = 7_500;

/** So many runs' entries always fit. */
const AT_ONCE = FEWEST_ENTRIES / 8;

/**
 * n8n usually reads and writes the whole table in less time, in milliseconds. With eight processes on two cores, 3 % of
 * these accesses take longer, and 32 % longer than 100.
 */
const WRITING_TIME = 400;

const ATTEMPTS = 10;

/**
 * Records runs in the table of n8n's _Remove Duplicates_ node. Processes overwrite each other's records there, so each
 * looks again. The first one that still finds its own mark wins. Never throws: runs that n8n can't record may start the
 * workflow twice, which does less harm than losing them.
 *
 * @returns the runs that no other execution has recorded. n8n 1 starts an execution again if its worker stops. Then it
 * gets the same runs
 */
export async function recordRuns(
	context: IExecuteFunctions,
	runIds: string[],
	warn: (message: string) => void,
): Promise<string[]> {
	const recorded: string[] = [];
	for (let at = 0; at < runIds.length; at += AT_ONCE) {
		recorded.push(...(await recordSome(context, runIds.slice(at, at + AT_ONCE), warn)));
	}
	return recorded;
}

async function recordSome(
	context: IExecuteFunctions,
	runIds: string[],
	warn: (message: string) => void,
): Promise<string[]> {
	const table = new ProcessedTable(context, ENTRIES);
	const ownMark = (runId: string) => `${runId} ${context.getExecutionId()}`;
	const own: string[] = [];
	let open = runIds;
	try {
		for (let attempt = 1; attempt <= ATTEMPTS && open.length > 0; attempt++) {
			if (attempt > 1) await sleep(WRITING_TIME);
			const known = await table.add(open.flatMap((id) => [id, ownMark(id)]));
			const recorded = open.filter((id) => known.has(id));
			const others = recorded.filter((id) => !known.has(ownMark(id)));
			own.push(...recorded.filter((id) => !others.includes(id)));
			open = open.filter((id) => !known.has(id));
			await table.remove(others.map(ownMark));
		}
		if (open.length > 0) throw new Error('other executions have overwritten its record');
	} catch (error) {
		warn(`a run may start the workflow twice: ${String(error)}`);
	}
	return [...own, ...open];
}
