import { request } from 'undici';
import { DEMO } from '../test/sandbox/index.mts';
import { execute } from '../test/helpers/engine/index.mts';
import { maxun } from '../test/helpers/parameters.mts';
import { startReplay } from './replay.mts';
import type { Measurement } from './report.mts';
import { bestSecondsOf, openSandbox, sideBySide, type BenchSandbox } from './sandbox.mts';

const RUNS = 10_000;
const PAGE = 100;
/** The node's pages begin with the previous page's last run. */
const STEP = 99;
/** How many pages the node requests at once. */
const CONCURRENCY = 10;
/** Public services run on other machines. */
const LATENCY_MS = 50;
const TIMES = 5;

/**
 * P2: Return All for 10,000 runs, compared with bare HTTP, both in parallel and page by page. A server in another
 * process replays the sandbox's pages and only adds network delay, so this measures the client.
 */
export async function returnAll(): Promise<Measurement[]> {
	const bench = await openSandbox({});
	for (let done = 0; done < RUNS; done += 1000) {
		await bench.sandbox.control.runs({ robotId: DEMO.products, count: 1000 });
	}
	const replay = await startReplay({ pages: await record(bench), delay: LATENCY_MS });
	await bench.close();
	await ours(replay, RUNS); // warm-up
	const node = await bestSecondsOf(TIMES, async () => await ours(replay, RUNS));
	const raw = await bestSecondsOf(TIMES, async () => await pages(replay, CONCURRENCY));
	const sequential = await bestSecondsOf(TIMES, async () => await pages(replay, 1));
	replay.close();
	const what = `Return All over ${RUNS} runs, ${LATENCY_MS} ms away`;
	const mine = { id: 'P2', what, unit: 's', ours: node };
	return [
		{
			...mine,
			other: `raw undici, ${CONCURRENCY} at once`,
			theirs: raw,
			ratio: node / raw,
			atMost: 1.25,
		},
		{
			...mine,
			other: 'page after page',
			theirs: sequential,
			ratio: sequential / node,
			atLeast: 6,
		},
	];
}

interface Replay {
	baseUrl: string;
}

async function record({ raw }: BenchSandbox): Promise<Map<number, string>> {
	const recorded = new Map<number, string>();
	for (const step of [PAGE, STEP]) {
		for (let offset = 0; offset <= RUNS; offset += step) {
			const page = await raw('GET', `/runs?limit=${PAGE}&offset=${offset}`);
			recorded.set(offset, JSON.stringify(page));
		}
	}
	return recorded;
}

async function ours({ baseUrl }: Replay, wanted: number): Promise<void> {
	const limits = wanted === RUNS ? { returnAll: true } : { returnAll: false, limit: wanted };
	const { items, error } = await execute({
		parameters: maxun('run', 'getAll', { ...limits, filters: {} }),
		credentials: { maxunCloudApi: { apiKey: 'any', teamId: '', baseUrl } },
	});
	const found = items[0]?.length ?? 0;
	if (error || found < wanted) throw error ?? new Error(`Only ${found} runs`);
}

async function pages({ baseUrl }: Replay, concurrency: number): Promise<void> {
	const offsets = Array.from({ length: RUNS / PAGE + 1 }, (_, index) => index * PAGE);
	await sideBySide(offsets, concurrency, async (offset) => {
		const { body } = await request(`${baseUrl}/runs?limit=${PAGE}&offset=${offset}`);
		await body.json();
	});
}
