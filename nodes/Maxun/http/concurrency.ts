import { sleep } from '../n8n/olderVersions';

export const CONCURRENCY = 5;

/** Keeps the order. After a rejection, no further calls start, and the running calls end first. */
export async function mapConcurrently<T, R>(
	inputs: readonly T[],
	limit: number,
	work: (input: T, index: number) => Promise<R>,
): Promise<R[]> {
	const results: R[] = new Array<R>(inputs.length);
	const rejections: unknown[] = [];
	let next = 0;
	const worker = async () => {
		while (next < inputs.length && rejections.length === 0) {
			const index = next++;
			await work(inputs[index], index).then(
				(result) => (results[index] = result),
				(reason: unknown) => rejections.push(reason),
			);
		}
	};
	await Promise.all(Array.from({ length: Math.min(limit, inputs.length) }, worker));
	if (rejections.length > 0) throw rejections[0];
	return results;
}

/** A promise for each row would take as long as its work. */
export type Rest = () => Promise<void> | undefined;

/** `wait` may reject, to end the work of a canceled execution. The computer's clock may be set back meanwhile. */
export function restRegularly(wait: (milliseconds: number) => Promise<void>): Rest {
	let restedAt = performance.now();
	const rest = async () => {
		await wait(1);
		restedAt = performance.now();
	};
	return () => (performance.now() - restedAt < 10 ? undefined : rest());
}

/** For work that can't be canceled. */
export const resting = (): Rest => restRegularly(sleep);

/** The result of work that yields wherever it may rest. */
export async function inTurns<T>(work: Generator<void, T>, rest: Rest): Promise<T> {
	for (;;) {
		const { done, value } = work.next();
		if (done) return value;
		const pause = rest();
		if (pause) await pause;
	}
}

/** The same without rests, for little work. */
export function atOnce<T>(work: Generator<void, T>): T {
	for (;;) {
		const { done, value } = work.next();
		if (done) return value;
	}
}

/** `map` that yields before each value. */
export function* mapping<T, R>(
	values: readonly T[],
	work: (value: T, index: number) => R,
): Generator<void, R[]> {
	const results: R[] = [];
	for (let index = 0; index < values.length; index++) {
		yield;
		results.push(work(values[index], index));
	}
	return results;
}

/** `map` with rests. */
export const mapInTurns = async <T, R>(
	values: readonly T[],
	rest: Rest,
	work: (value: T, index: number) => R,
): Promise<R[]> => await inTurns(mapping(values, work), rest);

const turns = new Map<string, Promise<unknown>>();

/** Runs work after all earlier work with the same key in this process. */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
	const before = turns.get(key) ?? Promise.resolve();
	const own = before.then(work, work);
	turns.set(key, own);
	const clear = () => {
		if (turns.get(key) === own) turns.delete(key);
	};
	own.then(clear, clear);
	return await own;
}

export const isTaken = (key: string): boolean => turns.has(key);

/** The result of work; undefined if it takes longer. The work continues. */
export const within = async <T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> =>
	await Promise.race([work, sleep(milliseconds).then(() => undefined)]);
