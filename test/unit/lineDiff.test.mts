import { diffLines } from 'diff';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lineDiff } from '../../nodes/Maxun/results/lineDiff';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });

/** How many lines with this sign a diff has. */
const numberOf = (diff: string, sign: string) =>
	diff.split('\n').filter((line) => line.startsWith(sign)).length;

const pause = async () => await Promise.resolve();

it("a diff is as short as a well-known library's, and accounts for every line", async () => {
	await fc.assert(
		fc.asyncProperty(lines, lines, async (before, after) => {
			const diff = await lineDiff(before, after, pause);
			const [removed, added] = [numberOf(diff, '- '), numberOf(diff, '+ ')];
			expect(after.length - before.length).toBe(added - removed);
			const ended = (list: string[]) => list.map((line) => `${line}\n`).join('');
			const expected = diffLines(ended(before), ended(after));
			const count = (kind: 'added' | 'removed') =>
				expected.filter((part) => part[kind]).reduce((sum, part) => sum + (part.count ?? 0), 0);
			expect([removed, added]).toEqual([count('removed'), count('added')]);
		}),
	);
});

it('equal texts have an empty diff', async () => {
	expect(await lineDiff(['a', 'b'], ['a', 'b'], pause)).toBe('');
	expect(await lineDiff([], [], pause)).toBe('');
});

/** The later lines, made from the earlier lines and a diff. */
function applied(before: string[], diff: string): string[] {
	const edits = diff.split('\n');
	const after: string[] = [];
	const isNext = (sign: string) => edits[0]?.startsWith(sign) ?? false;
	for (const line of before) {
		while (isNext('+ ')) after.push(edits.shift()?.slice(2) ?? '');
		if (edits[0] === `- ${line}`) edits.shift();
		else after.push(line);
	}
	return [...after, ...edits.map((edit) => edit.slice(2))];
}

it.each([
	['every line', (line: number) => `new ${line}`],
	['every second line', (line: number) => (line % 2 ? `new ${line}` : `${line}`)],
	['a block in the middle', (line: number) => (line % 5000 < 700 ? `new ${line}` : `${line}`)],
])(
	'applying the diff of a long text of which %s changed returns the new text',
	async (_, changed) => {
		const before = Array.from({ length: 6000 }, (_, line) => `${line}`);
		const after = before.map((_, line) => changed(line));
		const diff = await lineDiff(before, after, pause);
		expect(applied(before, diff)).toEqual(after);
		const differing = after.filter((line) => line.startsWith('new'));
		expect(numberOf(diff, '+ ')).toBe(differing.length);
	},
);
