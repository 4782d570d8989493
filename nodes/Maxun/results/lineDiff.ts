import type { Rest } from '../http/concurrency';

/** With more differences, the best diff so far is accepted, because the time grows with the square of this number. */
const MAX_DIFFERENCES = 100;

/** The lines that differ between two texts, each with `-` or `+`, in the order of the texts. */
export async function lineDiff(old: string[], young: string[], rest: Rest): Promise<string> {
	const lines: string[] = [];
	const add = async (sign: string, changed: string[]) => {
		for (const line of changed) {
			await rest();
			lines.push(`${sign} ${line}`);
		}
	};
	let [i, j] = [0, 0];
	for (const match of await matchesOf(old, young, rest)) {
		await add('-', old.slice(i, match.old));
		await add('+', young.slice(j, match.young));
		[i, j] = [match.old + match.length, match.young + match.length];
	}
	await add('-', old.slice(i));
	await add('+', young.slice(j));
	return lines.join('\n');
}

interface Point {
	old: number;
	young: number;
	match?: Match;
}

interface Match extends Point {
	length: number;
}

/** The runs of lines that two texts have in the same order. */
export async function matchesOf(old: string[], young: string[], rest: Rest): Promise<Match[]> {
	let place: Point = { old: 0, young: 0 };
	while (place.old < old.length && place.young < young.length) {
		await rest();
		place = walk(old, young, place);
	}
	const matches: Match[] = [];
	for (let { match } = place; match; { match } = match) matches.push(match);
	return matches.reverse();
}

/**
 * Searches for the shortest diff of two lists (E. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986).
 * @returns the end of both lists; if there are too many differences, the furthest place
 */
function walk(old: string[], young: string[], from: Point): Point {
	const places: Array<Point | undefined> = [];
	const middle = MAX_DIFFERENCES + 1;
	// The first step "adds" the line before the beginning.
	places[middle + 1] = { ...from, young: from.young - 1 };
	for (let count = 0; ; count++) {
		let [best, mostLines] = [from, -Infinity];
		for (let diagonal = -count; diagonal <= count; diagonal += 2) {
			const removed = places[middle + diagonal - 1];
			const added = places[middle + diagonal + 1];
			const place = step(old, young, removed, added);
			places[middle + diagonal] = place;
			if (!place) continue;
			if (place.old === old.length && place.young === young.length) return place;
			// If two places are equally far, the better place has used similar numbers of lines from both lists.
			const lines = place.old + place.young - Math.abs(diagonal) / middle;
			if (lines > mostLines) [best, mostLines] = [place, lines];
		}
		if (count === MAX_DIFFERENCES) return best;
	}
}

/** The furthest place after another removed or added line and the common lines that follow it. */
function step(old: string[], young: string[], removed?: Point, added?: Point): Point | undefined {
	const canRemove = removed !== undefined && removed.old < old.length;
	const canAdd = added !== undefined && added.young < young.length;
	let place: Point;
	if (canRemove && !(canAdd && added.old > removed.old + 1)) {
		place = { ...removed, old: removed.old + 1 };
	} else if (canAdd) place = { ...added, young: added.young + 1 };
	else return undefined;
	let [i, j] = [place.old, place.young];
	while (i < old.length && j < young.length && old[i] === young[j]) [i, j] = [i + 1, j + 1];
	const length = i - place.old;
	return length > 0 ? { old: i, young: j, match: { ...place, length } } : place;
}
