/**
 * Maps `inputs` with at most `limit` calls of `work` under way at once; results keep the order of the inputs.
 *
 * The first rejection rejects the whole and nothing further is begun; a `work` that must not do so settles by itself.
 */
export async function mapConcurrently<T, R>(
	inputs: readonly T[],
	limit: number,
	work: (input: T, index: number) => Promise<R>,
): Promise<R[]> {
	const results: R[] = new Array<R>(inputs.length);
	let next = 0;
	let broken = false;
	const worker = async () => {
		while (next < inputs.length && !broken) {
			const index = next++;
			try {
				results[index] = await work(inputs[index], index);
			} finally {
				broken ||= !(index in results);
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(limit, inputs.length) }, worker));
	return results;
}
