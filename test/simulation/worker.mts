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

/** How long n8n's event loop may be busy, in milliseconds. Garbage collection adds to it, so a longer turn must repeat. */
const LONGEST_TURN = 50;
const REPETITIONS = 5;

/** Plays a history. @returns its violations */
async function check(played: History): Promise<string[]> {
	let fastest = Infinity;
	for (let times = 0; times < REPETITIONS; times++) {
		const { violations, longestTurn } = await play(played, code);
		if (violations.length > 0) return violations;
		fastest = Math.min(fastest, longestTurn);
		if (fastest <= LONGEST_TURN) return [];
	}
	return [`theEventLoopYields: a turn took ${fastest.toFixed(0)} ms`];
}

/** Plays the history of a seed. @returns undefined if nothing went wrong */
async function playSeed({ seed, shrinks }: Task): Promise<Failure | undefined> {
	const property = fc.asyncProperty(history, async (played) => (await check(played)).length === 0);
	const parameters = { seed, numRuns: 1, endOnFailure: !shrinks };
	const { failed, counterexample } = await fc.check(property, parameters);
	if (!failed) return undefined;
	const [smallest] = counterexample ?? [];
	if (!smallest) throw new Error('fast-check returns no counterexample');
	const { trace } = await play(smallest, code);
	return { seed, violations: await check(smallest), history: smallest, trace };
}

process.on('message', (task: Task) => {
	void playSeed(task).then((failure) => process.send?.(failure ?? null));
});
process.send?.('ready');
