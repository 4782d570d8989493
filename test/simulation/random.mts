import fc from 'fast-check';

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
export function randomFrom(seed: number): () => number {
	let state = seed | 0;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** What an arbitrary generates. */
export type Generated<A> = A extends fc.Arbitrary<infer T> ? T : never;

/** Usually one value, sometimes others. */
export const often = <const T,>(usual: T, ...others: T[]): fc.Arbitrary<T> =>
	fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, fc.constantFrom(usual, ...others));
