import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** One word for each thing: see CONTRIBUTING.md. */
const WORDS: Array<[word: string, instead: RegExp]> = [
	['canceled', /\bcancelled|\bcancelling/i],
	['canceled', /\baborted runs?\b|\bruns? (is|are|was) aborted/i],
	['completed', /\bsuccessful runs?\b|\bruns? succeed/i],
	['send again', /\bre-?sen(d|ds|t)\b/i],
	['reject', /\brefus(al|e|es|ed|ing)\b(?! to\b| connection)/i],
	['row selector', /\bitem selectors?\b/i],
	['SKU', /\barticle numbers?\b/i],
	['browser', /\bbrowser slots?\b/i],
	['sample event', /(?<!fetch |fetch the )\btest events?\b/i],
	['Output Formats', /\*\*Formats\*\*|'Formats'/],
	['reason for', /\breasons? of\b/i],
	['certainly', /\bsurely\b/i],
	['in sync', /\bin step\b/i],
	['within seconds', /\bwithout delay\b/i],
	['start over', /\bbegins? anew\b/i],
	['somebody', /\bsomeone\b/i],
	['n8n instance', /\b(another|new|real|second) n8n\b(?! (instance|process|version))/],
	['control API', /\bcontrol plane\b/i],
	['demo shop', /\bdemo site\b/i],
	['language model', /\bAI models?\b|\bfor AI to\b/i],
	['time out', /\btime (is|was) up\b/i],
	['your own robot', /\brobots? of (yours|your own)\b/i],
	['response', /\bown answers?\b/i],
	['previous run', /\bthe run before\b(?! an?\b)/i],
	['earlier or later server', /\b(early|newer|older) servers?\b/i],
	['next to the output', /\boutput panel\b/i],
	['a long time', /\btakes? long\b/i],
	['a few', /\bsome (seconds|minutes|hours)\b/i],
	['say so', /\bsays? it\b/i],
];

/** What n8n and Maxun say. */
const QUOTED = /The execution was cancelled manually|Run was aborted/;

const isComment = (kind: ts.SyntaxKind) =>
	kind === ts.SyntaxKind.SingleLineCommentTrivia || kind === ts.SyntaxKind.MultiLineCommentTrivia;

/** A file's comments, and its texts with several words. Names in backticks are code. */
function* textsIn(path: string): Generator<string> {
	const code = readFileSync(path, 'utf8');
	if (!path.endsWith('ts')) return yield code.replace(/^```[^]*?^```$/gm, '');
	const source = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true);
	const texts: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isStringLiteralLike(node) && node.text.includes(' ')) texts.push(node.text);
		ts.forEachChild(node, visit);
	};
	visit(source);
	yield* texts;
	const scanner = ts.createScanner(
		ts.ScriptTarget.Latest,
		false,
		ts.LanguageVariant.Standard,
		code,
	);
	for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan())
		if (isComment(kind)) yield scanner.getTokenText();
}

const FOLDERS = ['.', 'docs', 'examples', 'nodes', 'credentials', 'bench', 'test'];

/** This list, names of files, data that versions have saved, and the words of websites. */
const EXCEPT =
	/CONTRIBUTING|growth\.test|words\.test|node_modules|__schema__|recordings|refusalWords/;

const filesIn = (folder: string) =>
	readdirSync(folder, { recursive: folder !== '.', encoding: 'utf8' })
		.map((name) => join(folder, name))
		.filter((path) => /\.(m?ts|md)$|^examples.*\.json$/.test(path) && !EXCEPT.test(path));

describe('one word for each thing', () => {
	const texts = FOLDERS.flatMap(filesIn).flatMap((path) =>
		[...textsIn(path)].map((text) => ({
			path,
			text: text.replace(/`[^`\n]*`|@throws \w+/g, '').replace(QUOTED, ''),
		})),
	);

	it.each(WORDS)("'%s' and not %s", (_, instead) => {
		const found = texts.flatMap(({ path, text }) => {
			const match = instead.exec(text);
			return match
				? [`${path}: ${text.slice(Math.max(0, match.index - 30), match.index + 50)}`]
				: [];
		});
		expect(found).toEqual([]);
	});
});
