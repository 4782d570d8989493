import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { INodeParameters } from 'n8n-workflow';
import { execute } from '../test/helpers/engine/index.mts';
import { locator, maxun } from '../test/helpers/parameters.mts';
import { DEMO } from '../test/sandbox/index.mts';
import type { Measurement } from './report.mts';
import { bestSecondsOf, openSandbox, type BenchSandbox } from './sandbox.mts';

const ROWS = 10_000;
const TIMES = 5;
const MEGABYTE = 1_000_000;

const listData = Array.from({ length: ROWS }, (_, index) => ({
	Product: `Desk ${index}`,
	Price: `$${(index + 1000).toLocaleString('en')}.00`,
	Link: `/products/${index}`,
	Added: '2026-11-23T10:00:00Z',
	Sold: `November ${(index % 28) + 1}, 2026`,
	Available: index % 2 === 0 ? 'yes' : 'no',
}));

const columns = {
	values: [
		{ column: 'Product', name: 'name', type: 'text' },
		{ column: 'Price', name: 'price', type: 'number' },
		{ column: 'Link', name: 'link', type: 'link' },
		{ column: 'Added', name: 'added', type: 'date' },
		{ column: 'Sold', name: 'sold', type: 'date' },
		{ column: 'Available', name: 'available', type: 'boolean' },
	],
};

/** P9: a run's typed rows through n8n's engine, compared with the captured rows. */
export async function typedRows(): Promise<Measurement[]> {
	const bench = await openSandbox({});
	const { control } = bench.sandbox;
	const [runId = ''] = await control.runs({ robotId: DEMO.products });
	await control.patchRun(runId, { data: { listData } });
	const [typed, plain] = [reader(bench, runId, { columns }), reader(bench, runId, {})];
	await plain(); // warm-up
	await typed();
	const heapOfTyped = await heapOf(typed);
	const heapOfPlain = await heapOf(plain);
	const secondsOfTyped = await bestSecondsOf(TIMES, async () => void (await typed()));
	const secondsOfPlain = await bestSecondsOf(TIMES, async () => void (await plain()));
	await bench.close();
	const measurement = { id: 'P9', other: 'without types' };
	return [
		{
			...measurement,
			what: `${ROWS} rows with six typed columns`,
			unit: 's',
			ours: secondsOfTyped,
			theirs: secondsOfPlain,
			ratio: secondsOfTyped / secondsOfPlain,
			// Dates take most of the time.
			atMost: 20,
		},
		{
			...measurement,
			what: `memory of ${ROWS} such items`,
			unit: 'MB',
			ours: heapOfTyped,
			theirs: heapOfPlain,
			ratio: heapOfTyped / heapOfPlain,
			atMost: 3,
		},
	];
}

const reader =
	({ sandbox }: BenchSandbox, runId: string, options: INodeParameters) =>
	async () => {
		const { items, error } = await execute({
			parameters: maxun('run', 'get', { runId: locator(runId), output: 'rows', options }),
			credentials: sandbox.credentials(),
		});
		if (error) throw error;
		if (items[0]?.length !== ROWS) throw new Error(`${items[0]?.length} rows`);
		return items;
	};

/** The memory that a result takes, in megabytes. */
async function heapOf(work: () => Promise<unknown>): Promise<number> {
	setFlagsFromString('--expose-gc');
	const collect: () => void = runInNewContext('gc');
	collect();
	const before = process.memoryUsage().heapUsed;
	const kept: unknown[] = [];
	while (kept.length < TIMES) kept.push(await work());
	collect();
	return (process.memoryUsage().heapUsed - before) / MEGABYTE / kept.length;
}
