import { fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { busyTime } from '../helpers/busyTime.mts';
import type { Failure, Report, Task } from './worker.mts';

// Plays many of a simulation's histories on all cores, or just one. See README.md.

const {
	values,
	positionals: [simulation = 'waiting'],
} = parseArgs({
	allowPositionals: true,
	options: {
		histories: { type: 'string', default: '100000' },
		/** Plays fewer histories if they take longer. */
		minutes: { type: 'string', default: 'Infinity' },
		/** The first history's seed; the others follow. */
		first: { type: 'string' },
		/** Plays only this seed's history, and looks for the smallest history that fails. */
		seed: { type: 'string' },
		/** Seeds to leave out, separated by commas. */
		except: { type: 'string', default: '' },
		/** The number of processes that play histories. */
		workers: { type: 'string', default: String(availableParallelism()) },
		/** The package whose nodes to use instead of this package's. */
		nodes: { type: 'string' },
	},
});

const WORKER = fileURLToPath(new URL('worker.mts', import.meta.url));

/** How much CPU time a history may take, in milliseconds. Looking for a smaller history may take a long time. */
const PATIENCE = values.seed === undefined ? 300_000 : 3_600_000;

/** How many seeds to print for each rule. */
const EXAMPLES = 5;

const histories = values.seed === undefined ? Number(values.histories) : 1;
const first = Number(values.seed ?? values.first ?? randomInt(2 ** 31));
const except = new Set(values.except.split(',').filter(Boolean).map(Number));
const failures: Failure[] = [];
/** How often rules used each of their exceptions. */
const counts = new Map<string, number>();
const began = performance.now();
let end: number | undefined;
let next = first;

/** The next history's seed; undefined if none is left to play. The time counts from the first history on. */
function nextSeed(): number | undefined {
	end ??= performance.now() + Number(values.minutes) * 60_000;
	while (except.has(next)) next++;
	return next < first + histories && performance.now() < end ? next++ : undefined;
}

/**
 * Makes a worker play histories until none are left. Each message of the worker is followed by one task, so it never plays
 * two at once. Only CPU time counts against a worker, because a busy machine may stop it for minutes.
 */
async function employ(): Promise<void> {
	const worker = fork(WORKER, {
		// Histories create many objects that soon become garbage.
		execArgv: ['--import', 'tsx', '--max-semi-space-size=64', '--expose-gc'],
		env: { ...process.env, SIMULATION: simulation, SIMULATION_NODES: values.nodes },
	});
	let limit = PATIENCE;
	const watch = setInterval(() => {
		if (busyTime(worker.pid) > limit) worker.kill('SIGKILL');
	}, 1_000);
	const exit = once(worker, 'exit').finally(() => clearInterval(watch));
	const message = async (): Promise<unknown> =>
		(await Promise.race([once(worker, 'message'), exit]))[0];
	if ((await message()) !== 'ready') throw new Error('A worker could not load the nodes');
	for (let seed = nextSeed(); seed !== undefined; seed = nextSeed()) {
		const task: Task = { seed, shrinks: values.seed !== undefined };
		limit = busyTime(worker.pid) + PATIENCE;
		worker.send(task);
		const answer = await message();
		if (!isReport(answer)) {
			const violation = worker.signalCode === 'SIGKILL' ? BLOCKED : EXITED;
			report({ seed, violations: [violation], history: undefined, trace: [] });
			return await employ();
		}
		for (const [name, times] of Object.entries(answer.counts)) {
			counts.set(name, (counts.get(name) ?? 0) + times);
		}
		if (answer.failure) report(answer.failure);
	}
	worker.disconnect();
}

const BLOCKED = 'theEventLoopYields: the process is blocked';
const EXITED = 'theSimulationContinues: the process has ended';

const isReport = (answer: unknown): answer is Report =>
	typeof answer === 'object' && answer !== null && 'counts' in answer;

function report(failure: Failure): void {
	failures.push(failure);
	console.log(`✗ seed ${failure.seed}: ${failure.violations[0]}`);
	if (values.seed === undefined) return;
	console.log(JSON.stringify(failure.history, null, 2));
	console.log([...failure.trace, ...failure.violations].join('\n'));
}

/** How often each rule was broken, with some seeds. */
function summary(): string[] {
	const seeds = new Map<string, Set<number>>();
	for (const { seed, violations } of failures) {
		for (const violation of violations) {
			const [rule = ''] = violation.split(':');
			seeds.set(rule, (seeds.get(rule) ?? new Set()).add(seed));
		}
	}
	return [...seeds].map(([rule, all]) => {
		const examples = [...all].slice(0, EXAMPLES).join(', ');
		return `${rule} was broken in ${all.size} histories, such as ${examples}`;
	});
}

const workers = Math.min(histories, Number(values.workers));
await Promise.all(Array.from({ length: workers }, employ));
const seconds = (performance.now() - began) / 1000;
for (const line of summary()) console.log(line);
for (const [name, times] of [...counts].sort(([, a], [, b]) => b - a)) {
	console.log(`${name}: ${times}`);
}
const played = next - first;
const rate = (played / seconds).toFixed(1);
console.log(
	`${played} histories from seed ${first} in ${seconds.toFixed(0)} s (${rate} per second), ${failures.length} failed`,
);
process.exitCode = failures.length > 0 ? 1 : 0;
