import { diffLines } from 'diff';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lineDiff } from '../../nodes/Maxun/runs/lineDiff';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });

/** The later text, made from the earlier one and the diff. */
const numberOf = (diff: string, sign: string) =>
	diff.split('\n').filter((line) => line.startsWith(sign)).length;

it('a diff is as short as that of a well-known library, and accounts for every line', () => {
	fc.assert(
		fc.property(lines, lines, (before, after) => {
			const diff = lineDiff(before.join('\n'), after.join('\n'));
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

it('equal texts have an empty diff', () => {
	expect(lineDiff('a\nb', 'a\nb')).toBe('');
	expect(lineDiff('', '')).toBe('');
});
