import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Failure } from './worker.mts';

// Plays many histories on all cores, or one. See README.md.

const { values } = parseArgs({
	options: {
		histories: { type: 'string', default: '100000' },
		/** Plays only the history of this seed. */
		seed: { type: 'string' },
		/** The package whose nodes to use, instead of this one. */
		nodes: { type: 'string' },
		first: { type: 'string' },
	},
});

const WORKER = fileURLToPath(new URL('worker.mts', import.meta.url));

/** A history that takes longer blocks its worker, in milliseconds. */
const PATIENCE = 120_000;

const histories = values.seed === undefined ? Number(values.histories) : 1;
const first = Number(values.seed ?? values.first ?? Date.now() % 1_000_000_000);
const failures: Failure[] = [];
let next = first;

/** Lets a worker play histories until none are left. */
async function employ(): Promise<void> {
	const worker = fork(WORKER, {
		execArgv: ['--import', 'tsx'],
		env: { ...process.env, SIMULATION_NODES: values.nodes },
	});
	const message = async (patience = PATIENCE) =>
		await new Promise<unknown>((resolve) => {
			const timer = setTimeout(() => resolve('blocked'), patience);
			worker.once('message', (answer) => {
				clearTimeout(timer);
				resolve(answer);
			});
		});
	await message();
	while (next < first + histories) {
		const seed = next++;
		worker.send(seed);
		const answer = await message();
		if (answer === 'blocked') {
			worker.kill('SIGKILL');
			failures.push({
				seed,
				violations: ['the process is blocked'],
				history: undefined,
				trace: [],
			});
			return await employ();
		}
		if (isFailure(answer)) report(answer);
	}
	worker.disconnect();
}

const isFailure = (answer: unknown): answer is Failure =>
	typeof answer === 'object' && answer !== null && 'violations' in answer;

function report(failure: Failure): void {
	failures.push(failure);
	console.log(`✗ seed ${failure.seed}`);
	for (const violation of failure.violations) console.log(`  ${violation}`);
	if (values.seed !== undefined) {
		console.log(JSON.stringify(failure.history, null, 2));
		console.log(failure.trace.join('\n'));
	}
}

const began = performance.now();
const workers = Math.min(histories, availableParallelism());
await Promise.all(Array.from({ length: workers }, employ));
const seconds = (performance.now() - began) / 1000;
console.log(
	`${histories} histories from seed ${first} in ${seconds.toFixed(0)} s (${((histories / seconds) * 60).toFixed(0)} per minute), ${failures.length} failed`,
);
process.exitCode = failures.length > 0 ? 1 : 0;
