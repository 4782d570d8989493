import { writeFile } from 'node:fs/promises';

export interface Measurement {
	id: string;
	what: string;
	unit: string;
	ours: number;
	/** The baseline. */
	other: string;
	theirs: number;
	ratio: number;
	/** The ratio's bounds. */
	atMost?: number;
	atLeast?: number;
}

export const holds = ({ ratio, atMost = Infinity, atLeast = -Infinity }: Measurement) =>
	ratio <= atMost && ratio >= atLeast;

export function print(measurements: Measurement[]): void {
	const rounded = (value: number) => Number(value.toFixed(2));
	const bound = ({ atMost, atLeast }: Measurement) =>
		atMost !== undefined ? `≤ ${atMost}` : atLeast !== undefined ? `≥ ${atLeast}` : '';
	console.table(
		measurements.map((entry) => ({
			'': entry.id,
			what: entry.what,
			ours: `${rounded(entry.ours)} ${entry.unit}`,
			'compared with': `${entry.other}: ${rounded(entry.theirs)}`,
			ratio: rounded(entry.ratio),
			wanted: bound(entry),
			holds: holds(entry),
		})),
	);
}

/** Writes the measurements as JSON. */
export async function save(file: string, measurements: Measurement[]): Promise<void> {
	const results = measurements.map((entry) => ({ ...entry, holds: holds(entry) }));
	await writeFile(
		file,
		`${JSON.stringify({ at: new Date().toISOString(), results }, null, '\t')}\n`,
	);
}
