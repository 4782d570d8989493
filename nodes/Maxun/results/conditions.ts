import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import type { Rest } from '../http/concurrency';
import { MaxunFault } from '../http/fault';
import { looksLike } from '../http/text';
import { DAY } from '../http/time';
import { nameIn, valueAt } from '../http/values';
import type { Run } from '../servers/entities';
import { isDifferent, requireColumns, textsOf } from './changes';
import type { Change, ChangeSettings, ComparedPart } from './changes';
import { datesOf } from './dates';
import type { Hint } from './hint';
import { isPage } from './pageText';
import { haveOtherUnits } from './numbers';
import { allRows } from './rows';
import { tableParts, type ColumnType, type TableSettings } from './table';
import { leavesOf } from './values';

/** A value that equals the limit is neither below nor above it, so each crossing is one change. */
const LIMITS = {
	fallsBelow: (after: number, limit: number, before: number) => before >= limit && after < limit,
	isAbove: (after: number, limit: number) => after > limit,
	isBelow: (after: number, limit: number) => after < limit,
	risesAbove: (after: number, limit: number, before: number) => before <= limit && after > limit,
};

const STEPS = {
	changesBy: Math.abs,
	fallsBy: (difference: number) => -difference,
	risesBy: (difference: number) => difference,
};

type TextTest = (after: string, value: string, before?: string) => boolean;

const COMPARE = {
	becomes: (after, value, before = value) => before !== value && after === value,
	contains: (after, value) => after.includes(value),
	doesNotContain: (after, value) => !after.includes(value),
	isNoLonger: (after, value, before) => before === value && after !== value,
	noLongerContains: (after, value, before = '') => before.includes(value) && !after.includes(value),
	nowContains: (after, value, before = value) => !before.includes(value) && after.includes(value),
} satisfies Record<string, TextTest>;

const ROWS = { hasChanged: 'changed', isGone: 'removed', isNew: 'added' } as const;

export type ConditionName =
	| keyof typeof LIMITS
	| keyof typeof STEPS
	| keyof typeof COMPARE
	| keyof typeof ROWS;

const WITHOUT_BEFORE = ['contains', 'doesNotContain', 'isAbove', 'isBelow', 'isGone', 'isNew'];

export interface Condition {
	condition: ConditionName;
	/** The captured column; undefined for the text of a page, or for the whole row. */
	column?: string;
	value?: string;
}

export interface ConditionSettings {
	onlyIf?: Condition[];
	matchConditions?: 'all' | 'any';
}

const isKey = <T extends object>(table: T, name: PropertyKey): name is keyof T =>
	Object.hasOwn(table, name);

/** What is wrong with a condition, and in which field; undefined if it can be met. */
export function conditionProblem({ condition, column, value = '' }: Condition) {
	const isOfText = isKey(COMPARE, condition) && !['becomes', 'isNoLonger'].includes(condition);
	if (!column && !isOfText && !isKey(ROWS, condition)) return ['column', 'is required'];
	if (isKey(STEPS, condition) && !(stepIn(value) > 0))
		return ['value', 'must be a number above 0, such as 5, or a percentage, such as 10%'];
	if (isKey(LIMITS, condition) && limitOf(value) === undefined)
		return ['value', 'must be a number, such as 49.99, or a date, such as 2026-12-31'];
	return undefined;
}

/** The columns whose numbers conditions or differences compare with earlier numbers. */
export function comparedColumns({
	onlyIf = [],
	columns = [],
}: ConditionSettings & TableSettings): string[] {
	const numbers = columns.filter(({ type }) => type === 'number').map(({ column }) => column);
	const inConditions = onlyIf.flatMap(({ condition, column, value = '' }) => {
		const isOfNumbers = isKey(LIMITS, condition) && limitOf(value)?.isDate === false;
		const isCompared = isKey(STEPS, condition) || isOfNumbers;
		return column && isCompared && !WITHOUT_BEFORE.includes(condition) ? column : [];
	});
	return [...new Set([...inConditions, ...numbers])];
}

const stepIn = (value: string) => Number(value.replace(/%$/, '').trim());

/** A number, or the days of a date since 1970; undefined for another text. */
function limitOf(value: string): { amount: number; isDate: boolean } | undefined {
	const number = Number(value);
	const isDate = !Number.isFinite(number);
	const amount = isDate ? amountOf(datesOf([value], { now: Date.now() })[0]) : number;
	return Number.isNaN(amount) ? undefined : { amount, isDate };
}

function amountOf(cell: unknown): number {
	if (typeof cell === 'number') return cell;
	return typeof cell === 'string' ? DateTime.fromISO(cell, { zone: 'utc' }).toMillis() / DAY : NaN;
}

/** The exact difference of two decimals. Zero has no percentage. */
export function differenceOf(before: number, after: number): { amount: number; percent: number } {
	const amount = Number((after - before).toFixed(Math.max(decimalsOf(before), decimalsOf(after))));
	const percent = Number(((amount / Math.abs(before)) * 100).toPrecision(12));
	return { amount, percent: before === 0 ? NaN : percent };
}

function decimalsOf(number: number): number {
	const [digits, exponent = '0'] = String(number).split('e');
	const [, fraction = ''] = digits.split('.');
	return Math.min(100, Math.max(0, fraction.length - Number(exponent)));
}

export interface Side {
	run: Run;
	parts: ComparedPart[];
}

interface Judging {
	sides: [earlier: Side, later: Side];
	settings: ChangeSettings & ConditionSettings & TableSettings;
	hint: Hint;
	rest: Rest;
}

/** Records the numbers that conditions read. @throws MaxunFault if a condition lacks its column or a key */
export async function changesThatMeet(changes: Change[], context: Judging): Promise<Change[]> {
	const { onlyIf = [], matchConditions, columns = [] } = context.settings;
	requireAll(changes, onlyIf, context);
	const hint: Hint = (message, ...more) => context.hint(`'Only If': ${message}`, ...more);
	const tests: Test[] = [];
	for (const condition of onlyIf) tests.push(await testOf(condition, { ...context, hint }));
	const quiet = { ...context, hint: () => {} };
	const numbers = columns.filter(({ type }) => type === 'number');
	const notes: Test[] = [];
	for (const { column } of numbers) notes.push(await amountTest(column, false, quiet, () => true));
	const met: Change[] = [];
	for (const change of changes) {
		await context.rest();
		for (const note of notes) note(change);
		const results = tests.map((test) => test(change));
		const isAny = matchConditions === 'any' && tests.length > 0;
		if (isAny ? results.includes(true) : !results.includes(false)) met.push(change);
	}
	return met;
}

function requireAll(changes: Change[], onlyIf: Condition[], { sides, settings }: Judging): void {
	const all = sides.flatMap(({ parts }) => parts);
	const columns = onlyIf.flatMap(({ column }) => column ?? []);
	requireColumns(all, columns, "'Only If' column", 'Only If');
	const isLost = ({ condition, column }: Condition) =>
		!WITHOUT_BEFORE.includes(condition) &&
		changes.some(
			({ kind, row }) => kind === 'rows' && (!column || valueAt(row, column) !== undefined),
		);
	if (settings.key?.length || !onlyIf.some(isLost)) return;
	throw new MaxunFault(
		"'Only If' compares a row with its earlier values, but nothing shows which row is the same",
		"Select a column that identifies a row, such as its link, in 'Key Column Names or IDs'",
	);
}

type Test = (change: Change) => boolean;

async function testOf(
	{ condition, column, value = '' }: Condition,
	context: Judging,
): Promise<Test> {
	if (isKey(ROWS, condition)) {
		return ({ change, row, old = {} }) =>
			change === ROWS[condition] &&
			(!column || isDifferent(valueAt(old, column), valueAt(row, column), context.settings));
	}
	if (isKey(COMPARE, condition)) return await textTest(COMPARE[condition], column, value, context);
	const name = column ?? '';
	if (isKey(STEPS, condition)) {
		const has = async (type: ColumnType) => {
			const cells = await cellsAs(name, type, { ...context, hint: () => {} });
			return [...cells.values()].some(({ value: cell }) => cell);
		};
		const isDate = !(await has('number')) && (await has('date'));
		const reached = STEPS[condition];
		return await amountTest(name, isDate, context, (before, after) => {
			const { amount, percent } = differenceOf(before, after);
			const isPercent = value.endsWith('%');
			if (isPercent && before === 0 && after !== 0) context.hint(FROM_ZERO, 1, `'${name}'`);
			return reached(isPercent ? percent : amount) >= stepIn(value);
		});
	}
	const { amount = NaN, isDate = false } = limitOf(value) ?? {};
	return await amountTest(name, isDate, context, (before, after) =>
		LIMITS[condition](after, amount, before),
	);
}

const FROM_ZERO = 'A change from 0 has no percentage, so it is ignored. Columns';

/** A condition on numbers or dates. A value that can't be read never meets it. */
async function amountTest(
	column: string,
	isDate: boolean,
	context: Judging,
	test: (before: number, after: number) => boolean,
): Promise<Test> {
	const cells = await cellsAs(column, isDate ? 'date' : 'number', context);
	return (change) => {
		const { row, old } = change;
		const name = nameIn(row, column);
		const [cellBefore, cell] = [old && cells.get(old), cells.get(row)];
		const [before, after] = [cellBefore?.value, cell?.value];
		if (typeof before === 'number' && typeof after === 'number')
			change.numbers = { ...change.numbers, [name]: [before, after] };
		if (haveOtherUnits(cellBefore?.captured, cell?.captured))
			change.otherUnits = [...new Set([...(change.otherUnits ?? []), name])];
		if (change.change === 'removed' || change.otherUnits?.includes(name)) return false;
		return test(amountOf(before), amountOf(after));
	};
}

/** A condition on the text of a page, a column or a row. Upper and lower case are the same. */
async function textTest(
	test: TextTest,
	column = '',
	value: string,
	context: Judging,
): Promise<Test> {
	const cells = column ? await cellsAs(column, 'any', context) : undefined;
	const clean = (value: unknown) => looksLike(leavesOf(value).join('\n')).toLowerCase();
	return (change) => {
		const { kind, row, old } = change;
		const whole = isPage(row, kind) ? textsOf(change) : [old, row];
		const [before, after] = cells ? [old && cells.get(old)?.value, cells.get(row)?.value] : whole;
		// Rows of other lists don't have the column.
		if (change.change === 'removed' || (before === undefined && after === undefined)) return false;
		return test(clean(after), clean(value), old && clean(before));
	};
}

interface ReadCell {
	value: unknown;
	captured: unknown;
}

/** A column's cells by row. Numbers of both runs show their format together. Relative dates belong to their own run. */
async function cellsAs(column: string, type: ColumnType, { sides, settings, hint, rest }: Judging) {
	const [earlier, later] = sides;
	const chosen = settings.columns?.find((own) => own.column === column && own.type === type);
	const columns = [{ ...chosen, column, name: column, type }];
	const both = later.parts.map((part) => {
		const isSame = ({ kind, list }: ComparedPart) => kind === part.kind && list === part.list;
		const all = [...earlier.parts.filter(isSame), part];
		const captured = allRows(all.map(({ rows, captured: own = rows }) => ({ rows: own })));
		return { ...part, rows: allRows(all), captured };
	});
	const cells = new Map<IDataObject, ReadCell>();
	for (const { run, parts } of type === 'date' ? sides : [{ ...later, parts: both }]) {
		const given = parts.map((part) =>
			type === 'any' ? part : { ...part, rows: part.captured ?? part.rows },
		);
		const read = await tableParts(given, run, { columns, keepOtherColumns: true }, hint, rest);
		for (const [index, { rows, columns: made }] of read.entries()) {
			const [{ cells: own, isCaptured }] = made;
			if (!isCaptured) continue;
			for (const [place, row] of parts[index].rows.entries()) {
				await rest();
				cells.set(row, { value: own[place], captured: valueAt(rows[place], column) });
			}
		}
	}
	return cells;
}
