import { mapInTurns, resting, type Rest } from '../http/concurrency';
import { recover } from '../http/fault';
import { counted, quoted } from '../http/text';
import { DAY } from '../http/time';
import { valueAt } from '../http/values';
import type { Run } from '../servers/entities';
import { endOf, startOf } from '../servers/dates';
import type { MaxunServer } from '../servers/types';
import type { Captured, Part } from './captured';
import { allRows, columnsOf, shownParts } from './rows';
import { differenceOf } from './conditions';
import { datesOf } from './dates';
import { goodRun, lastGoodRun } from './goodRun';
import { numbersOf } from './numbers';
import { median } from './statistics';
import { partsInTable, type TableSettings } from './table';
import type { ColumnCheck, DataChecks, RunReader } from './types';
import { isMissing, linkOf } from './values';

const USUAL_RUNS = 5;

interface Others {
	/** The same rows with the values that could not be converted. */
	unconverted?: Part[];
	/** The rows of an earlier run, to compare values with. */
	former?: Part[];
}

export async function problemsOf(
	parts: Part[],
	{ minRows = 0, columnChecks, mostFewer }: Omit<DataChecks, 'ifCheckFails'>,
	rest: Rest,
	usual?: number,
	{ unconverted = parts, former }: Others = {},
): Promise<string[]> {
	const count = await countOf(parts, rest);
	const found = counted(count, 'row');
	const least = Math.ceil((usual ?? 0) * (1 - (mostFewer ?? 100) / 100));
	const failed: string[] = [];
	for (const given of columnChecks) {
		await rest();
		const checked = given.check === 'filled' ? parts : unconverted;
		failed.push(...problemIn(checked, given, former));
	}
	return [
		...(count < minRows ? [`${found}, expected at least ${minRows}`] : []),
		...failed,
		...(count < least ? [`${found}, expected at least ${least} because ${usual} are usual`] : []),
	];
}

function problemIn(parts: Part[], check: ColumnCheck, former?: Part[]): string[] {
	const { column, check: name, value = 0, share = 100 } = check;
	if (parts.length === 0) return [`no rows, expected values in '${column}'`];
	const values = cellsIn(parts, column);
	if (values.length === 0) {
		return [`no column '${column}'. The columns are ${quoted(columnsOf(allRows(parts)))}`];
	}
	if (name === 'changesBy') return former ? changeProblem(values, former, check) : [];
	// Only `filled` checks empty cells.
	const checked = name === 'filled' ? values : values.filter(isFilled);
	const passed = PASSED[name](checked, value).filter(Boolean).length;
	if (passed >= (checked.length * share) / 100) return [];
	return [
		`'${column}' ${CLAIMS[name]}${CLAIMS[name].endsWith(' ') ? value : ''} in ${passed} of ${checked.length} rows, expected ${share}%`,
	];
}

/** Only the lists that have the column count. */
const cellsIn = (parts: Part[], column: string): unknown[] =>
	parts
		.map(({ rows }) => rows.map((row) => valueAt(row, column)))
		.filter((own) => own.some((value) => value !== undefined))
		.flat();

/** The limit follows a blank. */
const CLAIMS = {
	filled: 'has a value',
	number: 'is a number',
	date: 'is a date',
	link: 'is a link',
	unique: 'has its own value',
	atLeast: 'is at least ',
	atMost: 'is at most ',
};

const toNumbers = (values: unknown[]) => numbersOf(values).numbers;

const PASSED: Record<keyof typeof CLAIMS, (values: unknown[], limit: number) => boolean[]> = {
	filled: (values) => values.map(isFilled),
	number: (values) => toNumbers(values).map((number) => number !== null),
	// The order of day and month doesn't matter here.
	date: (values) =>
		values.map((value) =>
			[[value], [value, '31/12/1999']].some((all) => datesOf(all, { now: DAY })[0] !== null),
		),
	link: (values) => values.map((value) => linkOf(value, 'https://any.example') !== null),
	unique: (values) => {
		const known = new Set<string>();
		return values.map((value) => known.size < known.add(JSON.stringify(value)).size);
	},
	atLeast: (values, limit) => toNumbers(values).map((number) => number !== null && number >= limit),
	atMost: (values, limit) => toNumbers(values).map((number) => number !== null && number <= limit),
};

/** The median of a column's numbers, because rows come and go. */
const middleOf = (values: unknown[]) => median(toNumbers(values).flatMap((number) => number ?? []));

function changeProblem(values: unknown[], former: Part[], { column, value = 0 }: ColumnCheck) {
	const [before, now] = [middleOf(cellsIn(former, column)), middleOf(values)];
	if (before === undefined) return [];
	if (now === undefined) return [`'${column}' should be about ${before}, but has no number`];
	const { amount, percent } = differenceOf(before, now);
	if (amount === 0 || Math.abs(percent) <= value) return [];
	return [
		`the median of '${column}' is ${now}, expected at most ${value}% more or less than ${before}`,
	];
}

export const isFilled = (value: unknown) => !isMissing(value);

/** Rows of only empty cells don't count. */
const countOf = async (parts: Part[], rest: Rest): Promise<number> =>
	(await mapInTurns(allRows(parts), rest, isFilled)).filter(Boolean).length;

/** The usual number of rows of a robot's runs. Read once in an execution. */
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
		any: ({ message }): undefined =>
			void hint(
				`The usual number of rows is unknown, because earlier runs cannot be read: ${message}`,
			),
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
	const reading = earlier.map(async ({ id }) => {
		const good = await goodRun(runs, robotId, id);
		return good ? await count(good) : 0;
	});
	// Runs without rows don't count. Otherwise, empty runs would become usual.
	return median((await Promise.all(reading)).filter(Boolean));
}

/** The last good run before a run, which values are compared with. */
export async function formerRun(
	{ maxun, hint }: Pick<RunReader, 'maxun' | 'hint'>,
	run: Run,
): Promise<Captured | undefined> {
	if (!run.robotId) return undefined;
	const limits = { most: 2 * USUAL_RUNS, before: startOf(run) };
	return await recover(lastGoodRun(maxun, run.robotId, undefined, limits), {
		any: ({ message }): undefined =>
			void hint(`Values are not compared, because earlier runs cannot be read: ${message}`),
	});
}
