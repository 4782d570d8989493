/** Maximum number of requests at the same time of a trigger. The action node has an option instead. */
export const CONCURRENCY = 5;

/** Changes the number of simultaneous calls of `mapConcurrently`. */
export interface Workers {
	/** Allows one more call at a time, up to the limit. */
	add(): void;
	/** Allows one call less, when the current one ends. */
	remove(): void;
}

/**
 * Maps `inputs` with at most `limit` simultaneous calls to `work`. Results keep the order of the inputs.
 *
 * After a rejection, no further calls start. Once the running calls finish, the first rejection is thrown.
 *
 * @param inputs may grow in the meantime
 * @param initial how many calls to begin with
 */
export async function mapConcurrently<T, R>(
	inputs: readonly T[],
	limit: number,
	work: (input: T, index: number, workers: Workers) => Promise<R>,
	initial = limit,
): Promise<R[]> {
	const results: R[] = new Array<R>(inputs.length);
	const rejections: unknown[] = [];
	let next = 0;
	const worker = async () => {
		let isRemoved = false;
		const remove = () => (isRemoved = true);
		while (next < inputs.length && rejections.length === 0 && !isRemoved) {
			const index = next++;
			await work(inputs[index], index, { add, remove }).then(
				(result) => (results[index] = result),
				(reason: unknown) => rejections.push(reason),
			);
		}
	};
	const workers: Array<Promise<void>> = [];
	let count = 0;
	const add = () => {
		if (count >= limit || next >= inputs.length) return;
		count++; // before the call, which may add more
		workers.push(worker());
	};
	for (let added = 0; added < initial; added++) add();
	for (const running of workers) await running; // the list may grow in the meantime
	if (rejections.length > 0) throw rejections[0];
	return results;
}

/** The last unfinished work for each key. */
const turns = new Map<string, Promise<unknown>>();

/** Runs work after all earlier work with the same key in this process. */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T>;
/**
 * @param patience ends when the turn has taken too long. Then the result is `late`, and the work isn't done. A rejection
 *   ends the wait, too
 */
export async function inTurn<T>(
	key: string,
	work: () => Promise<T>,
	patience: () => Promise<void>,
): Promise<T | 'late'>;
export async function inTurn<T>(
	key: string,
	work: () => Promise<T>,
	patience?: () => Promise<void>,
): Promise<T | 'late'> {
	let state: 'waiting' | 'working' | 'late' = 'waiting';
	const begin = async () => {
		if (state === 'late') return state;
		state = 'working';
		return await work();
	};
	const before = turns.get(key) ?? Promise.resolve();
	const own = before.then(begin, begin);
	turns.set(key, own);
	const clear = () => {
		if (turns.get(key) === own) turns.delete(key);
	};
	own.then(clear, clear);
	if (!patience) return await own;
	const leave = () => {
		if (state === 'waiting') state = 'late';
	};
	const leaving = patience().finally(leave);
	return await Promise.race([
		own,
		leaving.then(async () => (state === 'late' ? state : await own)),
	]);
}
