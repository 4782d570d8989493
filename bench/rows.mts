import { Run } from '../nodes/Maxun/servers/entities';
import { capturedOf } from '../nodes/Maxun/results/captured';
import { rowsOf } from '../nodes/Maxun/results/rows';
import type { Measurement } from './report.mts';

const ROWS = 50_000;
const ROUNDS = 21;

const body = JSON.stringify({
	id: 'run',
	status: 'success',
	data: {
		listData: Array.from({ length: ROWS }, (_, index) => ({
			Product: `Desk ${index}`,
			Price: `$${index}.00`,
			Link: `https://example.com/products/${index}`,
			Stock: `${index} in stock`,
		})),
	},
});

/** The median of several measurements, in milliseconds. */
function median(work: () => unknown): number {
	const times = Array.from({ length: ROUNDS }, () => {
		const start = performance.now();
		work();
		return performance.now() - start;
	});
	return times.sort((a, b) => a - b)[(ROUNDS - 1) / 2] ?? 0;
}

/** A run of 50,000 rows, compared with only parsing its response. */
export function manyRows(): Promise<Measurement[]> {
	const theirs = median(() => JSON.parse(body));
	const ours = median(() =>
		rowsOf(capturedOf(Run.parse(JSON.parse(body)))).map((json) => ({
			json,
			pairedItem: { item: 0 },
		})),
	);
	return Promise.resolve([
		{
			id: 'P5',
			what: `a run of ${ROWS} rows as items`,
			unit: 'ms',
			ours,
			other: 'JSON.parse',
			theirs,
			ratio: ours / theirs,
			atMost: 1.5,
		},
	]);
}
