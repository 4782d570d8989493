import type { IDataObject } from 'n8n-workflow';
import type { Rest } from '../http/concurrency';
import { short, looksLike } from '../http/text';
import type { Captured } from './captured';
import {
	groupedBy,
	isDifferent,
	rowId,
	textsOf,
	type Change,
	type ChangeSettings,
	type Texts,
} from './changes';
import type { Hint } from './hint';
import { matchesOf } from './lineDiff';
import { hasPrice, withoutNumbers } from './masks';
import { isPage } from './pageText';

/** What doesn't count in the texts of pages. */
export interface Noise {
	/** A text. Only the smallest section that contains it counts. */
	part?: string;
	/** Lines that contain one of these words don't count. */
	lines?: string[];
	/** Whether lines that differ only in counts, times, dates and ages are equal. */
	numbers?: boolean;
	/** Whether lines that differed in most of the last comparisons don't count. */
	always?: boolean;
}

export interface NoiseSettings extends ChangeSettings {
	ignoreInTexts?: Noise;
}

/**
 * How many runs before the earlier run show what always changes, and in how many of their comparisons it must differ.
 * Pages choose quotes at random, so a quote may come twice in a row.
 */
export const RUNS_OF_ALWAYS = 4;
const ALWAYS_FROM = 3;

interface Line {
	text: string;
	/** Equal if everything that counts is equal. */
	key: string;
}

type PageRow = Pick<Change, 'kind' | 'row'>;

/** The changes, without pages whose texts differ only in noise. @param former the runs before, latest first */
export async function changesOfText(
	changes: Change[],
	settings: NoiseSettings,
	former: Captured[],
	{ rest, hint }: { rest: Rest; hint: Hint },
): Promise<Change[]> {
	const { ignoreInTexts: noise = {} } = settings;
	if (Object.keys(noise).length === 0) return changes;
	const idOf = ({ kind, row }: PageRow) => JSON.stringify([kind, rowId(row, kind, settings)]);
	const firstById = async ({ parts }: Captured) => {
		const pages = new Map<string, IDataObject>();
		for (const { kind, rows } of parts) {
			for (const row of rows) {
				await rest();
				const id = isPage(row, kind) ? idOf({ kind, row }) : '';
				if (id !== '' && !pages.has(id)) pages.set(id, row);
			}
		}
		return pages;
	};
	const known = await Promise.all(former.map(firstById));
	const found: Change[] = [];
	for (const change of changes) {
		await rest();
		const { row, kind, old } = change;
		if (!isPage(row, kind)) {
			found.push(change);
			continue;
		}
		const id = idOf(change);
		const earlier = known.flatMap((pages) => {
			const same = pages.get(id);
			return same ? (textsOf({ ...change, row: same, old })[1] ?? []) : [];
		});
		const texts = await withoutNoise(textsOf(change), noise, earlier, { rest, hint });
		const isSame = change.change === 'changed' && !isDifferent(texts[0], texts[1], settings);
		if (!isSame) found.push({ ...change, texts });
	}
	return found;
}

async function withoutNoise(
	[before, after]: Texts,
	noise: Noise,
	former: string[],
	{ rest, hint }: { rest: Rest; hint: Hint },
): Promise<Texts> {
	const keys = new Map<string, string>();
	const read = async (text = '') => await linesOf(text, noise, keys, rest);
	const both: [old: Line[], young: Line[]] = [await read(before), await read(after)];
	const isKnown = noise.always && former.length >= ALWAYS_FROM;
	const history = isKnown ? await Promise.all(former.map(read)) : [];
	const [old, young] = isKnown ? await withoutSlots(...both, history, rest, hint) : both;
	// Equal lines become the same line, so that a diff doesn't show them.
	const known = groupedBy(old, toKey);
	const shown = young.map(({ text, key }) => known.get(key)?.shift()?.text ?? text);
	return [before && old.map(({ text }) => text).join('\n'), after && shown.join('\n')];
}

async function linesOf(text: string, noise: Noise, keys: Map<string, string>, rest: Rest) {
	const words = (noise.lines ?? []).map(comparable);
	const lines: Line[] = [];
	for (const given of await sectionWith(text, noise.part, rest)) {
		await rest();
		const line = looksLike(given);
		const low = line.toLowerCase();
		if (line === '' || words.some((word) => low.includes(word))) continue;
		const key = keys.get(line) ?? (noise.numbers ? withoutNumbers(line) : line);
		keys.set(line, key);
		lines.push({ text: line, key });
	}
	return lines;
}

const comparable = (text: string) => looksLike(text).toLowerCase();

/** Whether a text contains the part that counts. */
export const hasPart = (text: string, part: string): boolean =>
	text.split('\n').some((line) => comparable(line).includes(comparable(part)));

interface Section {
	start: number;
	end: number;
	level: number;
	/** Whether the text is in its heading. */
	isNamed: boolean;
}

/**
 * The lines of the section in Markdown that contains a text: from its heading to the next heading of the same or a
 * higher level. A section with the text in its heading comes first, then the smallest section.
 */
async function sectionWith(text: string, part: string | undefined, rest: Rest): Promise<string[]> {
	const lines = text.split('\n');
	if (!part) return lines;
	const word = comparable(part);
	const end = lines.length;
	// The text before the first heading is also a section.
	const open: Section[] = [{ start: 0, end, level: Infinity, isNamed: false }];
	const found = new Set<Section>();
	for (const [index, line] of lines.entries()) {
		await rest();
		const level = levelOf(line, lines[index + 1]);
		if (level > 0) {
			const first = open.findIndex((section) => section.level >= level);
			if (first >= 0) for (const section of open.splice(first)) section.end = index;
			open.push({ start: index, end, level, isNamed: false });
		}
		const section = open.at(-1);
		if (!section || !comparable(line).includes(word)) continue;
		section.isNamed ||= level > 0;
		found.add(section);
	}
	const [best] = [...found].sort(
		(a, b) => Number(b.isNamed) - Number(a.isNamed) || a.end - a.start - (b.end - b.start),
	);
	return best ? lines.slice(best.start, best.end) : [];
}

/** A heading's level; 0 for other lines. */
function levelOf(line: string, next = ''): number {
	const [, marks] = /^(#{1,6})[ \t]/.exec(line) ?? [];
	if (marks) return marks.length;
	const [underline] = /^[=-]{3,}(?=\s?$)/.exec(next) ?? [''];
	return underline === '' || line.trim() === '' ? 0 : underline.startsWith('=') ? 1 : 2;
}

/**
 * Two texts without the places that always change. A place is between two lines that all texts have. In three of the
 * last comparisons, its content differed. It counts if its number of lines or its form is new.
 */
async function withoutSlots(
	old: Line[],
	young: Line[],
	history: Line[][],
	rest: Rest,
	hint: Hint,
): Promise<[old: Line[], young: Line[]]> {
	const all = [old, ...history];
	const follow = async (places: number[][], lines: Line[]) => {
		const keys = places.map(([own]) => old[own].key);
		const matches = await matchesOf(keys, lines.map(toKey), rest);
		return matches.flatMap(({ old: first, young: found, length }) =>
			places.slice(first, first + length).map((place, index) => [...place, found + index]),
		);
	};
	let stable = old.map((_, index) => [index]);
	for (const lines of history) stable = await follow(stable, lines);
	const inYoung = new Map((await follow(stable, young)).map((place) => [place[0], place.at(-1)]));
	inYoung.set(-1, -1).set(old.length, young.length);
	const edges = [all.map(() => -1), ...stable, all.map(({ length }) => length)];
	const left = new Set<Line>();
	for (const [index, end] of edges.slice(1).entries()) {
		await rest();
		const start = edges[index];
		const [from, to] = [inYoung.get(start[0]), inYoung.get(end[0])];
		if (from === undefined || to === undefined) continue;
		const slots = all.map((lines, run) => lines.slice(start[run] + 1, end[run]));
		const now = young.slice(from + 1, to);
		if (!alwaysDiffers(slots) || !isNormal(now, slots)) continue;
		const isLeft = (_: Line, place: number, lines: Line[]) => !isPriced(lines, place);
		for (const line of slots[0].filter(isLeft)) left.add(line);
		for (const line of now.filter(isLeft)) {
			left.add(line);
			hint(ALWAYS, 1, `'${short(line.text, 100)}'`);
		}
	}
	const counts = (line: Line) => !left.has(line);
	return [old.filter(counts), young.filter(counts)];
}

const ALWAYS =
	"'Ignore What Always Changes' leaves out lines that differed in three of the last four comparisons. Their last values";

const toKey = ({ key }: Line) => key;

function alwaysDiffers(slots: Line[][]): boolean {
	const contents = slots.map((lines) => lines.map(toKey).join('\n'));
	const changes = contents.filter((content, index) => index > 0 && content !== contents[index - 1]);
	return changes.length >= ALWAYS_FROM;
}

function isNormal(now: Line[], slots: Line[][]): boolean {
	const lengths = slots.map(({ length }) => length);
	if (now.length < Math.min(...lengths) || now.length > Math.max(...lengths)) return false;
	const formOf = (lines: Line[]) =>
		lines.map(({ key }) => key.replace(/\d[\d.,]*/g, '0')).join('\n');
	const forms = new Set(slots.map(formOf));
	return forms.size > 1 || forms.has(formOf(now));
}

/** A price, or its cents. */
const isPriced = (lines: Line[], index: number): boolean =>
	hasPrice(lines[index].text) ||
	(/^\d+$/.test(lines[index].text) && index > 0 && hasPrice(lines[index - 1].text));
