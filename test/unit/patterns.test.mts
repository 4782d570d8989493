import { readdirSync, readFileSync } from 'node:fs';
import { analyse } from 'scslre';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { TIME } from '../../nodes/Maxun/results/dates';

/*
 * A slow pattern blocks n8n's only thread. If a pattern has two repetitions of the same text next to each other, or
 * one repetition at its beginning, its time grows with a power of the text's length. Nested repetitions are even
 * worse.
 */

const ROOT = 'nodes/Maxun';

/** Files whose patterns only see texts of these lengths, behind the door of `http/text.ts`. */
const SHORT: Record<string, number> = {
	'html/selectors.ts': 2_000,
	'results/dates.ts': 500,
	'results/masks.ts': 500,
	'results/numbers.ts': 200,
	'results/values.ts': 2_000,
	'servers/sdk/cssToXPath.ts': 2_000,
	'servers/sdk/selector.ts': 2_000,
};

interface Pattern {
	file: string;
	pattern: RegExp;
}

/** All regular expression literals in the code. */
function patternsIn(file: string): Pattern[] {
	const text = readFileSync(`${ROOT}/${file}`, 'utf8');
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
	const found: Pattern[] = [];
	const visit = (node: ts.Node) => {
		if (ts.isRegularExpressionLiteral(node)) {
			const [, body = '', flags] = /^\/(.*)\/([a-z]*)$/s.exec(node.text) ?? [];
			found.push({ file, pattern: new RegExp(body, flags) });
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((file) =>
	file.endsWith('.ts'),
);
/** A regular expression that consists of parts. */
const joined: Pattern = { file: 'results/dates.ts', pattern: TIME };
const reports = [...files.flatMap(patternsIn), joined].flatMap(({ file, pattern }) =>
	analyse(pattern).reports.map(({ exponential }) => ({
		exponential,
		file,
		text: `${file}: ${String(pattern).slice(0, 150)}`,
	})),
);
const textsOf = (found: typeof reports) => found.map(({ text }) => text);

it('the time of a pattern never grows exponentially', () => {
	expect(textsOf(reports.filter(({ exponential }) => exponential))).toEqual([]);
});

it('a pattern whose time grows faster than its text only sees short texts', () => {
	expect(textsOf(reports.filter(({ file }) => !(file in SHORT)))).toEqual([]);
});

it('every exception is necessary', () => {
	const necessary = new Set(reports.map(({ file }) => file));
	expect(Object.keys(SHORT).filter((file) => !necessary.has(file))).toEqual([]);
});
