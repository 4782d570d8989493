import { lineOf } from '../test/sandbox/request-log.mts';
import { execute } from '../test/helpers/engine/index.mts';
import { locator, maxun } from '../test/helpers/parameters.mts';
import { WaitingHost } from '../test/helpers/engine/waiting.mts';
import type { Measurement } from './report.mts';
import {
	activeRuns,
	bestSecondsOf,
	openSandbox,
	secondsOf,
	sideBySide,
	sleep,
	type BenchSandbox,
} from './sandbox.mts';

const ITEMS = 50;
const CONCURRENCY = 10;
/** How many of the items the slow loop gets. Each of the others would take just as long. */
const LOOPED = 5;

/** P1: 50 items with runs of 2 seconds in 10 browsers, compared with bare HTTP and with a sequential loop. */
export async function manyItems(): Promise<Measurement[]> {
	const bench = await openSandbox({ slots: 10, runSeconds: 2 });
	const ids = await bench.sandbox.control.bulkRobots(ITEMS, 'scrape');
	await ours(bench, ids.slice(0, 2)); // warm-up
	const node = await bestSecondsOf(2, async () => await ours(bench, ids));
	const raw = await bestSecondsOf(2, async () => await bare(bench, ids));
	const looped = ids.slice(0, LOOPED);
	const part = await secondsOf(async () => await oneAfterAnother(bench, looped));
	const loop = (part * ITEMS) / LOOPED;
	await bench.close();
	const what = `${ITEMS} items, 2-second runs, 10 slots`;
	return [
		{
			id: 'P1',
			what,
			unit: 's',
			ours: node,
			other: 'raw undici',
			theirs: raw,
			ratio: node / raw,
			atMost: 1.15,
		},
		{
			id: 'P1',
			what,
			unit: 's',
			ours: node,
			other: 'start-and-poll loop',
			theirs: loop,
			ratio: loop / node,
			atLeast: 8,
		},
	];
}

async function ours(bench: BenchSandbox, ids: string[]): Promise<void> {
	const { items, error } = await execute({
		parameters: maxun('run', 'runAndWait', {
			output: 'simplified',
			robotId: locator('={{ $json.robotId }}'),
		}),
		items: ids.map((robotId) => ({ robotId })),
		credentials: bench.sandbox.credentials(),
		mode: 'trigger',
	});
	if (error || items[0]?.length !== ids.length) throw error ?? new Error('Items are missing');
}

/** The fastest way: all runs at once, no checks, a poll every 0.1 seconds. */
async function bare(bench: BenchSandbox, ids: string[]): Promise<void> {
	const pending = new Set<string>();
	await sideBySide(ids, CONCURRENCY, async (id) => {
		const { id: runId } = await bench.raw('POST', `/robots/${id}/runs`);
		pending.add(String(runId));
	});
	while (pending.size > 0) {
		const active = new Set(await activeRuns(bench));
		const ended = [...pending].filter((id) => !active.has(id));
		await sideBySide(ended, CONCURRENCY, async (id) => {
			await bench.raw('GET', `/runs/${id}`);
			pending.delete(id);
		});
		if (pending.size > 0) await sleep(100);
	}
}

/** Like other nodes: starts an item's run, polls once a second, then starts the next run. */
async function oneAfterAnother(bench: BenchSandbox, ids: string[]): Promise<void> {
	for (const id of ids) {
		const { id: runId } = await bench.raw('POST', `/robots/${id}/runs`);
		for (;;) {
			await sleep(1000);
			const { data } = await bench.raw('GET', `/runs/${String(runId)}`);
			if (!['queued', 'running'].includes(String(Object(data).status))) break;
		}
	}
}

/** P3: requests while 100 runs are active, in process and in the database. */
export async function requestsWhileWaiting(): Promise<Measurement[]> {
	const bench = await openSandbox({ slots: 100, runSeconds: 30 });
	const ids = await bench.sandbox.control.bulkRobots(100, 'scrape');
	const parameters = maxun('run', 'runAndWait', {
		output: 'simplified',
		robotId: locator('={{ $json.robotId }}'),
		options: { pauseAfter: 10 },
	});
	const host = await WaitingHost.start({ parameters, credentials: bench.sandbox.credentials() });
	const execution = host.start(ids.map((robotId) => ({ robotId })));
	while ((await activeRuns(bench)).length < 100) await sleep(20);
	await bench.sandbox.control.clear();
	await sleep(8000);
	const times = (await bench.sandbox.control.requests())
		.filter((request) => lineOf(request).startsWith('GET /runs'))
		.map(({ at }) => Date.parse(at));
	await host.reaches(execution, ['waiting'], 60_000);
	await bench.sandbox.control.clear();
	await sleep(8000);
	const paused = (await bench.sandbox.control.requests()).length;
	await sleep(15_000);
	host.expire(execution);
	host.resumeByTimer(execution);
	await host.reaches(execution, ['success'], 60_000);
	await bench.close();
	// Polls are at least half a second apart. Requests within this time belong to one poll.
	const ticks = times.filter((time, index) => index === 0 || time - (times[index - 1] ?? 0) > 250);
	const most = times.length / ticks.length;
	const what = '100 runs waited for';
	return [
		{
			id: 'P3',
			what: `${what}, 8 s in process`,
			unit: 'requests',
			ours: times.length,
			other: 'ticks',
			theirs: ticks.length,
			ratio: most,
			atMost: 1,
		},
		{
			id: 'P3',
			what: `${what}, 8 s in the database`,
			unit: 'requests',
			ours: paused,
			other: 'wanted',
			theirs: 0,
			ratio: paused,
			atMost: 0,
		},
	];
}
