import fc from 'fast-check';
import { NodeCode } from './process.mts';
import * as changes from './changes/simulation.mts';
import * as events from './events/simulation.mts';
import * as waiting from './waiting/simulation.mts';

// Plays the history of each seed that the parent process sends.

/** What a history shows. */
export interface Outcome {
	violations: string[];
	/** In real milliseconds. */
	longestTurn: number;
	/** The number of runs that ever existed. */
	runs: number;
	/** A description of what happened. */
	trace: string[];
	/** How often rules used each of their exceptions, or how often something happened, by name. */
	counts?: Record<string, number>;
}

/** What the parent process gets for each seed. */
export interface Report {
	/** Undefined if nothing went wrong. */
	failure?: Failure;
	counts: Record<string, number>;
}

interface Simulation<H> {
	history: fc.Arbitrary<H>;
	play(history: H, code: NodeCode): Promise<Outcome>;
}

export interface Task {
	seed: number;
	/** Whether to look for the smallest history that goes wrong. */
	shrinks: boolean;
}

export interface Failure {
	seed: number;
	violations: string[];
	history: unknown;
	trace: string[];
}

const code = await NodeCode.load(process.env.SIMULATION_NODES);

/**
 * How long n8n's event loop may be busy, in milliseconds. The simulated clock stands still during a turn, so work that
 * rests regularly, such as reading a page, is one turn here. Next to other tests, the same work takes longer.
 */
const LONGEST_TURN = Number(process.env.LONGEST_TURN ?? 150);
/** If Maxun has more runs, a turn that reads their list takes longer. */
const MANY_RUNS = 300;
const REPETITIONS = 5;

/** Those of the last history. */
let lastCounts: Record<string, number> = {};

async function check<H>({ play }: Simulation<H>, played: H): Promise<string[]> {
	const outcome = await play(played, code);
	let { violations, longestTurn } = outcome;
	lastCounts = outcome.counts ?? {};
	// Garbage collection and new code make turns longer, so a long turn must occur repeatedly.
	for (let times = 0; times < REPETITIONS; times++) {
		if (violations.length > 0 || outcome.runs > MANY_RUNS || longestTurn <= LONGEST_TURN) {
			return violations;
		}
		// Otherwise, a turn would include the garbage collection of earlier histories.
		globalThis.gc?.();
		({ violations, longestTurn } = await play(played, code));
	}
	return [`theEventLoopYields: turns take ${longestTurn.toFixed(0)} ms`];
}

const ruleOf = (violation = ''): string => violation.split(':')[0] ?? '';

/** Plays a seed's history. @returns undefined if nothing went wrong */
async function playSeed<H>(
	simulation: Simulation<H>,
	{ seed, shrinks }: Task,
): Promise<Failure | undefined> {
	let violations: string[] = [];
	const property = fc.asyncProperty(simulation.history, async (played) => {
		const found = await check(simulation, played);
		// A smaller history must break the same rule.
		const same = found.filter(
			(one) => violations.length === 0 || ruleOf(one) === ruleOf(violations[0]),
		);
		if (same.length > 0) violations = same;
		return same.length === 0;
	});
	const parameters = { seed, numRuns: 1, endOnFailure: !shrinks };
	const { failed, counterexample, errorInstance } = await fc.check(property, parameters);
	if (!failed) return seed % SAMPLE === 0 ? await repeat(simulation, seed) : undefined;
	if (violations.length === 0) throw errorInstance;
	const [smallest] = counterexample ?? [];
	if (smallest === undefined) throw new Error('fast-check returns no counterexample');
	const { trace } = await simulation.play(smallest, code);
	return { seed, violations, history: smallest, trace };
}

/** One in this many histories is played twice, because a seed must replay its history. */
const SAMPLE = 50;

/** A trace's line without the IDs and names that the nodes generate, because they differ each time. */
const withoutIds = (line: string) =>
	line
		.replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID')
		.replace(/(?<=n8n[ +]\w+[ +](until[ +][^ +]+[ +])?)[\w-]{10,}/g, 'NAME');

/** @returns a failure if a seed's history isn't the same each time */
async function repeat<H>(
	{ history, play }: Simulation<H>,
	seed: number,
): Promise<Failure | undefined> {
	const [played] = fc.sample(history, { seed, numRuns: 1 });
	if (played === undefined) throw new Error('fast-check returns no history');
	const trace = (await play(played, code)).trace.map(withoutIds);
	const again = (await play(played, code)).trace.map(withoutIds);
	if (trace.join() === again.join()) return undefined;
	const line = trace.findIndex((text, index) => text !== again[index]);
	const violations = [`seedsReplay: line ${line} is '${trace[line]}', then '${again[line]}'`];
	return { seed, violations, history: played, trace };
}

const PLAYS: Record<string, (task: Task) => ReturnType<typeof playSeed>> = {
	changes: async (task) => await playSeed(changes, task),
	events: async (task) => await playSeed(events, task),
	waiting: async (task) => await playSeed(waiting, task),
};

process.on('message', (task: Task) => {
	void PLAYS[process.env.SIMULATION ?? 'waiting']?.(task).then((failure) => {
		const report: Report = { failure, counts: lastCounts };
		process.send?.(report);
	});
});
process.send?.('ready');
