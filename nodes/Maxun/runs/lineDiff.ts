import type { Rest } from '../http/concurrency';

/**
 * Maximum number of differences to search for the shortest diff, before the best one so far is accepted. The time for
 * each search grows with its square, to less than a millisecond.
 */
const MAX_DIFFERENCES = 100;

/** Number of lines to process between two rests, in less than a millisecond. */
const CHUNK = 1000;

/** Lines that two texts have in common: where they begin in both, and their number. */
interface Match {
	old: number;
	young: number;
	length: number;
}

/**
 * The lines that differ between two texts, each with `-` or `+`, in the order of the texts. It is the shortest diff,
 * unless the texts are very different.
 */
export async function lineDiff(before: string, after: string, rest: Rest): Promise<string> {
	const old = linesOf(before);
	await rest();
	const young = linesOf(after);
	const lines: string[] = [];
	const add = async (sign: string, changed: string[]) => {
		for (const line of changed) {
			if (lines.length % CHUNK === 0) await rest();
			lines.push(`${sign} ${line}`);
		}
	};
	let [i, j] = [0, 0];
	for (const match of await matchesOf(await numbered(old, young, rest), rest)) {
		await add('-', old.slice(i, match.old));
		await add('+', young.slice(j, match.young));
		[i, j] = [match.old + match.length, match.young + match.length];
	}
	await rest();
	return lines.join('\n');
}

const linesOf = (text: string) => (text === '' ? [] : text.replaceAll('\r\n', '\n').split('\n'));

type Lines = Uint32Array;

/** The lines as numbers, which are faster to compare. */
async function numbered(
	old: string[],
	young: string[],
	rest: Rest,
): Promise<{ old: Lines; young: Lines }> {
	const numbers = new Map<string, number>();
	const numbersOf = async (lines: string[]) => {
		const result = new Uint32Array(lines.length);
		for (const [index, line] of lines.entries()) {
			if (index % CHUNK === 0) await rest();
			result[index] = numbers.get(line) ?? numbers.size;
			numbers.set(line, result[index]);
		}
		return result;
	};
	return { old: await numbersOf(old), young: await numbersOf(young) };
}

/** The common lines of two texts. The last match is their common end, perhaps without lines. */
async function matchesOf(
	{ old, young }: { old: Lines; young: Lines },
	rest: Rest,
): Promise<Match[]> {
	let length = 0;
	const most = Math.min(old.length, young.length);
	while (length < most && old.at(-1 - length) === young.at(-1 - length)) length++;
	const end = { old: old.length - length, young: young.length - length, length };
	const matches: Match[] = [];
	const reaches = new Int32Array((MAX_DIFFERENCES + 1) ** 2);
	for (let [i, j] = [0, 0]; i < end.old && j < end.young; ) {
		await rest();
		const search = new Search(old.subarray(i, end.old), young.subarray(j, end.young), reaches);
		const found = search.run();
		matches.push(
			...found.map((match) => ({ ...match, old: match.old + i, young: match.young + j })),
		);
		[i, j] = [i + search.end.old, j + search.end.young];
	}
	return [...matches, end];
}

/**
 * Searches the shortest diff of two lists, from their beginning (E. Myers, "An O(ND) Difference Algorithm and Its
 * Variations", 1986).
 *
 * A diagonal contains all pairs of positions with the same difference, old minus new. A removed line leads to the next
 * diagonal, an added one to the previous.
 */
class Search {
	/** Where the search ended. */
	end = { old: 0, young: 0 };

	/**
	 * @param reaches for the furthest position in the old list by number of differences and diagonal; -1 if there is none.
	 * All searches use the same memory
	 */
	constructor(
		private readonly old: Lines,
		private readonly young: Lines,
		private readonly reaches: Int32Array,
	) {}

	run(): Match[] {
		const last = this.old.length - this.young.length;
		for (let count = 0; ; count++) {
			const reach = this.reachesOf(count).fill(-1);
			for (let diagonal = -count; diagonal <= count; diagonal += 2) {
				reach[diagonal + count] = this.follow(this.step(count, diagonal), diagonal);
			}
			if (this.reach(count, last) === this.old.length) return this.matchesTo(count, last);
			if (count === MAX_DIFFERENCES) return this.matchesTo(count, furthest(reach, count));
		}
	}

	/** The positions after this number of differences, one for each diagonal. */
	private reachesOf(count: number): Int32Array {
		return this.reaches.subarray(count ** 2, (count + 1) ** 2);
	}

	private reach(count: number, diagonal: number): number {
		return Math.abs(diagonal) > count ? -1 : this.reaches[count ** 2 + count + diagonal];
	}

	/** The position on a diagonal right after the last of some differences. */
	private step(count: number, diagonal: number): number {
		if (count === 0) return 0;
		const removed = this.reach(count - 1, diagonal - 1);
		const added = this.reach(count - 1, diagonal + 1);
		return Math.max(
			removed >= 0 && removed < this.old.length ? removed + 1 : -1,
			added >= 0 && added - diagonal <= this.young.length ? added : -1,
		);
	}

	/** The position after all equal lines that follow. */
	private follow(position: number, diagonal: number): number {
		const { old, young } = this;
		if (position < 0) return position;
		let end = position;
		while (end < old.length && end - diagonal < young.length && old[end] === young[end - diagonal])
			end++;
		return end;
	}

	/** The matches on the path to the furthest position on a diagonal. */
	private matchesTo(count: number, diagonal: number): Match[] {
		const position = this.reach(count, diagonal);
		this.end = { old: position, young: position - diagonal };
		const matches: Match[] = [];
		for (let [left, current] = [count, diagonal]; left >= 0; left--) {
			const start = this.step(left, current);
			const length = this.reach(left, current) - start;
			if (length > 0) matches.push({ old: start, young: start - current, length });
			const removed = this.reach(left - 1, current - 1);
			current += removed >= 0 && removed + 1 === start ? -1 : 1;
		}
		return matches.reverse();
	}
}

/** The diagonal on which most of both lists is behind, and the most even one of those. */
function furthest(reach: Int32Array, count: number): number {
	let best = -count;
	const lengthAt = (diagonal: number) => 2 * reach[diagonal + count] - diagonal;
	for (let diagonal = -count; diagonal <= count; diagonal += 2) {
		if (reach[diagonal + count] < 0) continue;
		const ahead = lengthAt(diagonal) - lengthAt(best);
		if (ahead > 0 || (ahead === 0 && Math.abs(diagonal) < Math.abs(best))) best = diagonal;
	}
	return best;
}
