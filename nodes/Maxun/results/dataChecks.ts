import { mapInTurns, resting, type Rest } from '../http/concurrency';
import { recover } from '../http/fault';
import { counted, quoted } from '../http/text';
import { valueAt } from '../http/values';
import type { Run } from '../servers/entities';
import { endOf, startOf } from '../servers/dates';
import type { MaxunServer } from '../servers/types';
import { capturedInTurns, type Captured, type Part } from './captured';
import { allRows, columnsOf, shownParts } from './rows';
import { median } from './statistics';
import { partsInTable, type TableSettings } from './table';
import type { DataChecks, RunReader } from './types';
import { isMissing } from './values';

const USUAL_RUNS = 5;

export async function problemsOf(
	parts: Part[],
	{ minRows = 0, filledColumns, mostFewer }: Omit<DataChecks, 'ifCheckFails'>,
	rest: Rest,
	usual?: number,
): Promise<string[]> {
	const count = await countOf(parts, rest);
	const found = counted(count, 'row');
	const least = Math.ceil((usual ?? 0) * (1 - (mostFewer ?? 100) / 100));
	const unfilled: string[] = [];
	for (const check of filledColumns) unfilled.push(...(await fillProblem(parts, check, rest)));
	return [
		...(count < minRows ? [`${found}, expected at least ${minRows}`] : []),
		...unfilled,
		...(count < least ? [`${found}, expected at least ${least} because ${usual} are usual`] : []),
	];
}

/** Only the lists that have the column count. */
async function fillProblem(
	parts: Part[],
	{ column, share }: DataChecks['filledColumns'][number],
	rest: Rest,
) {
	if (parts.length === 0) return [`no rows, expected values in '${column}'`];
	const own = parts.filter(({ rows }) => rows.some((row) => valueAt(row, column) !== undefined));
	const values = await mapInTurns(allRows(own), rest, (row) => isFilled(valueAt(row, column)));
	if (values.length === 0) {
		return [`no column '${column}'. There are ${quoted(columnsOf(allRows(parts)))}`];
	}
	const filled = values.filter(Boolean).length;
	if (filled >= (values.length * share) / 100) return [];
	return [`'${column}' has a value in ${filled} of ${values.length} rows, expected ${share}%`];
}

export const isFilled = (value: unknown) => !isMissing(value);

/** Rows of only empty cells don't count. */
const countOf = async (parts: Part[], rest: Rest): Promise<number> =>
	(await mapInTurns(allRows(parts), rest, isFilled)).filter(Boolean).length;

/** The usual number of rows of a run's robot. Read once for all the robot's runs in an execution. */
export async function usualRows(
	{ maxun, hint, usual }: Pick<RunReader, 'maxun' | 'hint' | 'usual'>,
	run: Run,
	table: TableSettings,
): Promise<number | undefined> {
	const { robotId } = run;
	if (!robotId) return undefined;
	const columns = table.columns?.map(({ column }) => column);
	const key = JSON.stringify([maxun.teamId, robotId, columns, table.keepOtherColumns]);
	const count = async (captured: Captured) =>
		await countOf(partsInTable(shownParts(captured), table), resting());
	const reading = usual.get(key) ?? readUsual(maxun, robotId, run, count);
	usual.set(key, reading);
	return await recover(reading, {
		any: ({ message }) => {
			hint(`The usual number of rows is unknown, because earlier runs can't be read: ${message}`);
			return undefined;
		},
	});
}

async function readUsual(
	{ runs }: Pick<MaxunServer, 'runs'>,
	robotId: string,
	run: Run,
	count: (captured: Captured) => Promise<number>,
): Promise<number | undefined> {
	const listed = await runs.list(robotId, { status: ['success'] }, 2 * USUAL_RUNS);
	const start = startOf(run) ?? Infinity;
	const earlier = listed
		.filter((other) => other.id !== run.id && other.isPartial !== true)
		.filter((other) => (endOf(other) ?? 0) <= start)
		.slice(0, USUAL_RUNS);
	const reading = earlier.map(async ({ id }) =>
		recover(
			runs.get(id, [robotId]).then(async (read) => await count(await capturedInTurns(read))),
			{ notFound: () => 0 },
		),
	);
	// Runs without rows don't count. Otherwise, empty runs would become usual.
	return median((await Promise.all(reading)).filter(Boolean));
}
