import type { IDataObject } from 'n8n-workflow';
import { MaxunFault, recover } from '../http/fault';
import { counted, quoted } from '../http/text';
import { isEmpty, omitFields, valueAt } from '../http/values';
import type { Run } from '../servers/entities';
import { endOf, startOf } from '../servers/runEnd';
import type { MaxunServer } from '../servers/types';
import { columnsOf, rowsOf } from './rows';
import { median } from './statistics';
import type { DataChecks, Item, RunReader } from './types';

type Checking = Pick<RunReader, 'maxun' | 'hint' | 'usual'>;

/** How many earlier runs determine the usual number of rows. */
const USUAL_RUNS = 5;

/** The fault of a run that fails a check. Its rows aren't lost: the error output gets them. */
export class DataCheckFault extends MaxunFault {
	constructor(
		{ id, robotName, robotId }: Run,
		readonly problems: string[],
		/** The run's items, each with its problems. */
		public items: Item[],
	) {
		super(
			`Run ${id} of robot '${robotName ?? robotId ?? 'unknown'}' failed the data checks: ${problems.join('; ')}`,
			"The page may have changed. Check the run in Maxun. To continue with its rows, change 'If a Check Fails', or use the node's error output",
			{ forModel: 'Tell the user that the page may have changed' },
		);
	}

	get data(): IDataObject {
		const rows = this.items.map(({ json }) => omitFields(json, ['problems']));
		return { description: this.description, problems: this.problems, rows };
	}
}

/**
 * A run's items after the data checks.
 *
 * @param isRows whether the items are the rows; otherwise, the run's own rows are checked
 * @throws CheckFault if a check fails, unless the checks say otherwise
 */
export async function checkedItems(
	reader: Checking,
	run: Run,
	items: Item[],
	{ checks, isRows }: { checks: DataChecks | undefined; isRows: boolean },
): Promise<Item[]> {
	if (!checks || run.status !== 'success') return items;
	const rows = isRows ? items.map(({ json }) => json) : rowsOf(run);
	const usual = checks.mostFewer === undefined ? undefined : await usualRows(reader, run);
	const problems = problemsOf(rows, checks, usual);
	if (problems.length === 0) return items;
	const { ifCheckFails } = checks;
	const shown = items.length > 0 ? items : [{ json: { id: run.id, robotId: run.robotId } }];
	const marked = shown.map((item) => ({ ...item, json: { problems, ...item.json } }));
	const fault = new DataCheckFault(run, problems, marked);
	if (ifCheckFails === 'error') throw fault;
	reader.hint(fault.message);
	return ifCheckFails === 'items' ? marked : [];
}

/** What is wrong with a run's rows: what was found and what was expected. @param usual number of rows */
export function problemsOf(
	rows: IDataObject[],
	{ minRows = 0, filledColumns, mostFewer }: Omit<DataChecks, 'ifCheckFails'>,
	usual?: number,
): string[] {
	const found = counted(rows.length, 'row');
	const least = usual && mostFewer !== undefined ? Math.ceil(usual * (1 - mostFewer / 100)) : 0;
	return [
		...(rows.length < minRows ? [`${found}, expected at least ${minRows}`] : []),
		...filledColumns.flatMap((check) => fillProblem(rows, check)),
		...(rows.length < least
			? [`${found}, expected at least ${least} because ${usual} are usual`]
			: []),
	];
}

function fillProblem(
	rows: IDataObject[],
	{ column, share }: DataChecks['filledColumns'][number],
): string[] {
	if (rows.length === 0) return [`no rows, expected values in '${column}'`];
	const values = rows.map((row) => valueAt(row, column));
	if (values.every((value) => value === undefined)) {
		return [`no column '${column}'. There are ${quoted(columnsOf(rows))}`];
	}
	const filled = values.filter(isFilled).length;
	if (filled >= (rows.length * share) / 100) return [];
	return [`'${column}' has a value in ${filled} of ${rows.length} rows, expected ${share}%`];
}

const isFilled = (value: unknown) =>
	typeof value === 'string' ? value.trim() !== '' : !isEmpty(value);

/** The usual number of rows of a run's robot. Read once for all the robot's runs in an execution. */
async function usualRows(reader: Checking, run: Run): Promise<number | undefined> {
	const { maxun, usual } = reader;
	const { robotId } = run;
	if (!robotId) return undefined;
	const key = JSON.stringify([maxun.teamId, robotId]);
	const reading = usual.get(key) ?? readUsual(maxun, robotId, run);
	usual.set(key, reading);
	return await recover(reading, {
		any: ({ message }) => {
			reader.hint(
				`The usual number of rows is unknown, because earlier runs can't be read: ${message}`,
			);
			return undefined;
		},
	});
}

/** The median number of rows in the five completed runs before this one; undefined if there are none. */
async function readUsual(
	{ runs }: Pick<MaxunServer, 'runs'>,
	robotId: string,
	run: Run,
): Promise<number | undefined> {
	const listed = await runs.list(robotId, { status: ['success'] }, 2 * USUAL_RUNS);
	const start = startOf(run) ?? Infinity;
	const earlier = listed
		.filter((other) => other.id !== run.id && other.isPartial !== true)
		.filter((other) => (endOf(other) ?? 0) <= start)
		.slice(0, USUAL_RUNS);
	const reading = earlier.map(async ({ id }) =>
		recover(runs.get(id, [robotId]).then(rowsOf), { notFound: () => [] }),
	);
	// Runs without rows don't count. Otherwise, empty runs would become usual.
	const counts = (await Promise.all(reading)).map((rows) => rows.length).filter(Boolean);
	return median(counts) ?? undefined;
}
