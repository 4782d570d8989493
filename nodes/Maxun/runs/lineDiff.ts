/** Maximum number of line pairs to compare. Larger texts count as replaced where they differ. */
const MAX_PAIRS = 4_000_000;

/** The lines that differ between two texts, each with `-` or `+`, in the order of the texts. */
export function lineDiff(before: string, after: string): string {
	const old = linesOf(before);
	const young = linesOf(after);
	let start = 0;
	while (start < old.length && start < young.length && old[start] === young[start]) start++;
	let end = 0;
	while (
		end < Math.min(old.length, young.length) - start &&
		old[old.length - 1 - end] === young[young.length - 1 - end]
	)
		end++;
	const removed = old.slice(start, old.length - end);
	const added = young.slice(start, young.length - end);
	return changedLines(removed, added).join('\n');
}

const linesOf = (text: string) => (text === '' ? [] : text.split(/\r?\n/));

function changedLines(old: string[], young: string[]): string[] {
	const removed = (line: string) => `- ${line}`;
	const added = (line: string) => `+ ${line}`;
	if (old.length * young.length > MAX_PAIRS) return [...old.map(removed), ...young.map(added)];
	const common = commonLengths(old, young);
	const lines: string[] = [];
	let [i, j] = [0, 0];
	while (i < old.length || j < young.length) {
		if (i < old.length && j < young.length && old[i] === young[j]) {
			i++;
			j++;
		} else if (j === young.length || (i < old.length && common[i + 1][j] >= common[i][j + 1])) {
			lines.push(removed(old[i++]));
		} else {
			lines.push(added(young[j++]));
		}
	}
	return lines;
}

/** The length of the longest common subsequence of the rest of both lists, for each pair of positions. */
function commonLengths(old: string[], young: string[]): Uint32Array[] {
	const lengths = Array.from({ length: old.length + 1 }, () => new Uint32Array(young.length + 1));
	for (let i = old.length - 1; i >= 0; i--) {
		for (let j = young.length - 1; j >= 0; j--) {
			lengths[i][j] =
				old[i] === young[j]
					? lengths[i + 1][j + 1] + 1
					: Math.max(lengths[i + 1][j], lengths[i][j + 1]);
		}
	}
	return lengths;
}
