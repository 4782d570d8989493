import type { IDataObject } from 'n8n-workflow';
import type { Run } from '../servers/entities';
import { fieldReader, rowsOf } from './rows';
import { dateOf, flagOf, linkOf, numberOf, type NumberFormat } from './values';

export type ColumnType = 'any' | 'boolean' | 'date' | 'link' | 'number' | 'text';

/** One column of a table, made of a captured column. */
export interface Column {
	/** The captured column. */
	column: string;
	/** Its name in the output. */
	name: string;
	type: ColumnType;
	numberFormat: NumberFormat;
	/** A format with the tokens of Luxon; empty for ISO 8601 and the dates of email. */
	dateFormat: string;
}

/** How to make rows that fit a table: always the same columns with the same types in the same order. */
export interface TableSettings {
	/** All columns of the output. The rows keep theirs if there are none. */
	columns?: Column[];
	/** Keeps a value that can't be converted. Otherwise, it becomes null. */
	ignoreConversionErrors?: boolean;
}

/**
 * The rows of a run with the columns of a table. A missing value is null, and so is one that can't be converted.
 *
 * @param address the URL of the run's only page, for relative links of rows without one
 * @param hint counts the values that can't be converted. A trigger can't show it
 */
export function tableOf(
	run: Run,
	settings: TableSettings,
	address?: string,
	hint?: (message: string) => void,
): IDataObject[] {
	const rows = rowsOf(run);
	const { columns = [], ignoreConversionErrors = false } = settings;
	if (columns.length === 0) return rows;
	const failures = new Map<string, number>();
	const read = fieldReader(run);
	const cellOf = (row: IDataObject, column: Column) => {
		const value = read(row, column.column);
		if (value === undefined || value === null || value === '') return null;
		const converted = convert(value, column, baseOf(row, address));
		if (converted !== null) return converted;
		failures.set(column.name, (failures.get(column.name) ?? 0) + 1);
		return ignoreConversionErrors ? value : null;
	};
	const converted = rows.map((row) =>
		Object.fromEntries(columns.map((column) => [column.name, cellOf(row, column)])),
	);
	if (failures.size > 0) hint?.(failureHint(failures, ignoreConversionErrors));
	return converted;
}

/** The hint that counts the values that couldn't be converted. */
function failureHint(failures: Map<string, number>, isIgnored: boolean): string {
	const counts = [...failures].map(([name, count]) => `'${name}' (${count})`).join(', ');
	const outcome = isIgnored ? 'They are unchanged' : 'They are empty';
	return `Some values could not be converted: ${counts}. ${outcome}. Check the type and the format of these columns`;
}

/** The page that a row comes from. A captured `url` may be relative to the run's page, or no URL. */
const baseOf = ({ pageUrl, url }: IDataObject, address: string | undefined) =>
	[pageUrl, url]
		.map((value) => (value ? linkOf(value, address) : null))
		.find((link) => link?.startsWith('http')) ?? address;

function convert(
	value: NonNullable<unknown>,
	{ type, numberFormat, dateFormat }: Column,
	base: string | undefined,
): IDataObject[string] {
	switch (type) {
		case 'any':
			return value;
		case 'boolean':
			return flagOf(value);
		case 'date':
			return dateOf(value, dateFormat);
		case 'link':
			return linkOf(value, base);
		case 'number':
			return numberOf(value, numberFormat);
		case 'text':
			return typeof value === 'object' ? JSON.stringify(value) : String(value);
	}
}
