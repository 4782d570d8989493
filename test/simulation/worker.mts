import fc from 'fast-check';
import { NodeCode } from './process.mts';
import { history, type History } from './waiting/history.mts';
import { play } from './waiting/play.mts';

// Plays the history of each seed that the parent process sends.

export interface Task {
	seed: number;
	/** Whether to look for the smallest history that goes wrong. */
	shrinks: boolean;
}

/** A history that went wrong. */
export interface Failure {
	seed: number;
	violations: string[];
	history: unknown;
	trace: string[];
}

const code = await NodeCode.load(process.env.SIMULATION_NODES);

/** How long n8n's event loop may be busy, in milliseconds. */
const LONGEST_TURN = 50;
const REPETITIONS = 5;

/** Processor time, which other programs don't affect. To read it takes long. */
function processorTime(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

/** Plays a history. @returns its violations */
async function check(played: History): Promise<string[]> {
	let { violations, longestTurn } = await play(played, code);
	// A busy machine and garbage collection make turns longer, so a long turn must repeat.
	for (let times = 0; times < REPETITIONS; times++) {
		if (violations.length > 0 || longestTurn <= LONGEST_TURN) return violations;
		({ violations, longestTurn } = await play(played, code, processorTime));
	}
	return [`theEventLoopYields: turns take ${longestTurn.toFixed(0)} ms`];
}

/** Plays the history of a seed. @returns undefined if nothing went wrong */
async function playSeed({ seed, shrinks }: Task): Promise<Failure | undefined> {
	const property = fc.asyncProperty(history, async (played) => (await check(played)).length === 0);
	const parameters = { seed, numRuns: 1, endOnFailure: !shrinks };
	const { failed, counterexample } = await fc.check(property, parameters);
	if (!failed) return seed % SAMPLE === 0 ? await repeat(seed) : undefined;
	const [smallest] = counterexample ?? [];
	if (!smallest) throw new Error('fast-check returns no counterexample');
	const { trace } = await play(smallest, code);
	return { seed, violations: await check(smallest), history: smallest, trace };
}

/** One of how many histories is played twice, because a seed must replay its history. */
const SAMPLE = 50;

/** @returns a failure if the history of a seed isn't the same each time */
async function repeat(seed: number): Promise<Failure | undefined> {
	const [played] = fc.sample(history, { seed, numRuns: 1 });
	if (!played) throw new Error('fast-check returns no history');
	const { trace } = await play(played, code);
	const { trace: again } = await play(played, code);
	if (trace.join() === again.join()) return undefined;
	const line = trace.findIndex((text, index) => text !== again[index]);
	const violations = [`seedsReplay: line ${line} is '${trace[line]}', then '${again[line]}'`];
	return { seed, violations, history: played, trace };
}

process.on('message', (task: Task) => {
	void playSeed(task).then((failure) => process.send?.(failure ?? null));
});
process.send?.('ready');
