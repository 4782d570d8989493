import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { execute } from '../test/helpers/engine/index.mts';
import { newProductRobot, productUrl } from '../test/helpers/fixtures.mts';
import { locator, maxun } from '../test/helpers/parameters.mts';
import type { Measurement } from './report.mts';
import { openSandbox, secondsOf, type BenchSandbox } from './sandbox.mts';

const PAGES = 500;
const SLOTS = 25;
const RUN_SECONDS = 5;
/** Number of products in the demo shop, each with its own page. */
const PRODUCTS = 8;

/** Megabytes of live data. */
function usedMemory(collect: () => void): number {
	collect();
	return process.memoryUsage().heapUsed / 1e6;
}

/** P7: one robot on 500 pages in one execution, with runs of 5 seconds in 25 browsers. */
export async function manyPages(): Promise<Measurement[]> {
	const bench = await openSandbox({ slots: SLOTS, runSeconds: RUN_SECONDS });
	const robotId = await newProductRobot(bench.sandbox);
	await onPages(bench, robotId, SLOTS); // warm-up
	await bench.sandbox.control.clear();
	setFlagsFromString('--expose-gc');
	const collect: () => void = runInNewContext('gc');
	const before = usedMemory(collect);
	let most = before;
	const timer = setInterval(() => (most = Math.max(most, usedMemory(collect))), 5000);
	const seconds = await secondsOf(async () => await onPages(bench, robotId, PAGES));
	clearInterval(timer);
	const sent = await bench.sandbox.sent();
	const left = (await bench.sandbox.owner.get('/robots?q=n8n&limit=100')).list.length;
	await bench.close();
	const ideal = (PAGES * RUN_SECONDS) / SLOTS;
	const what = `${PAGES} pages, ${RUN_SECONDS}-second runs, ${SLOTS} slots`;
	const growth = most - before;
	return [
		{
			id: 'P7',
			what,
			unit: 's',
			ours: seconds,
			other: 'run time / slots',
			theirs: ideal,
			ratio: seconds / ideal,
			atMost: 1.15,
		},
		{
			id: 'P7',
			what,
			unit: 'requests',
			ours: sent.length,
			other: 'copy, start, read and delete each page',
			theirs: 4 * PAGES,
			ratio: sent.length / (4 * PAGES),
			atMost: 1.5,
		},
		{
			id: 'P7',
			what: `${what}, node and sandbox`,
			unit: 'MB',
			ours: growth,
			other: 'allowed growth',
			theirs: 50,
			ratio: growth / 50,
			atMost: 1,
		},
		{
			id: 'P7',
			what: 'copies that remain',
			unit: 'robots',
			ours: left,
			other: 'wanted',
			theirs: 0,
			ratio: left,
			atMost: 0,
		},
	];
}

async function onPages({ sandbox }: BenchSandbox, robotId: string, count: number): Promise<void> {
	const urls = Array.from(
		{ length: count },
		(_, index) => `${productUrl(sandbox, (index % PRODUCTS) + 1)}?visit=${index}`,
	);
	const { items, error } = await execute({
		parameters: maxun('run', 'runOnUrls', { robotId: locator(robotId), urls: urls.join('\n') }),
		credentials: sandbox.credentials(),
		mode: 'trigger',
	});
	const found = (items[0] ?? []).map(({ json }) => json.pageUrl);
	if (error || found.join() !== urls.join()) throw error ?? new Error('Pages are missing');
}
