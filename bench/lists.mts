import { DEMO } from '../test/sandbox/index.mts';
import { execute } from '../test/engine/harness/index.mts';
import { maxun } from '../test/engine/support/parameters.mts';
import type { Measurement } from './report.mts';
import { openWorld, secondsOf, sideBySide, type World } from './world.mts';

const RUNS = 10_000;
const PAGE = 100;
/** As many pages as the node asks for side by side. */
const CONCURRENCY = 4;
/** A service on the internet is not on this machine. */
const LATENCY_MS = 50;

/** P2: Return All over 10,000 runs, against bare HTTP side by side and one page after another. */
export async function returnAll(): Promise<Measurement[]> {
	const world = await openWorld({});
	for (let done = 0; done < RUNS; done += 1000) {
		await world.control.runs({ robotId: DEMO.products, count: 1000 });
	}
	await world.control.fault({
		kind: 'delay',
		milliseconds: LATENCY_MS,
		times: 100_000,
		path: '^/',
		before: false,
	});
	await ours(world, 300); // warm
	const node = await secondsOf(async () => await ours(world, RUNS));
	const raw = await secondsOf(async () => await pages(world, CONCURRENCY));
	const sequential = await secondsOf(async () => await pages(world, 1));
	await world.close();
	const what = `Return All over ${RUNS} runs, ${LATENCY_MS} ms away`;
	return [
		{
			id: 'P2',
			what,
			unit: 's',
			ours: node,
			other: `raw undici, ${CONCURRENCY} at once`,
			theirs: raw,
			ratio: node / raw,
			atMost: 1.25,
		},
		{
			id: 'P2',
			what,
			unit: 's',
			ours: node,
			other: 'page after page',
			theirs: sequential,
			ratio: sequential / node,
			atLeast: 3,
		},
	];
}

async function ours(world: World, wanted: number): Promise<void> {
	const limits = wanted === RUNS ? { returnAll: true } : { returnAll: false, limit: wanted };
	const { items, error } = await execute({
		parameters: maxun('run', 'getAll', { ...limits, filters: {} }),
		credentials: world.credentials,
	});
	const found = items[0]?.length ?? 0;
	if (error || found < wanted) throw error ?? new Error(`Only ${found} runs`);
}

async function pages({ raw }: World, concurrency: number): Promise<void> {
	const offsets = Array.from({ length: RUNS / PAGE + 1 }, (_, index) => index * PAGE);
	await sideBySide(offsets, concurrency, async (offset) => {
		await raw('GET', `/runs?limit=${PAGE}&offset=${offset}`);
	});
}
