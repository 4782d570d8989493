/** How many requests a trigger has under way at once; for the action node an option says it. */
export const CONCURRENCY = 5;

/**
 * Maps `inputs` with at most `limit` calls of `work` under way at once; results keep the order of the inputs.
 *
 * After a rejection nothing further is begun; what is under way is waited for, then the whole rejects with the first.
 */
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

/** What is under way, or due, by key. */
const turns = new Map<string, Promise<unknown>>();

/** Does work when all work of this process that was given the same key before is done. */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
	const before = turns.get(key) ?? Promise.resolve();
	const own = before.then(work, work);
	turns.set(key, own);
	return await own.finally(() => {
		if (turns.get(key) === own) turns.delete(key);
	});
}
