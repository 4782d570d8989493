import { cellness } from '../byExample/lists';
import { overlap, type Page } from '../byExample/page';
import type { Element } from '../byExample/reader';
import { chainOf } from '../byExample/selectors';
import { mean, type Group, type Spot } from './groups';
import { isSame, placesOf, type Place } from './places';

// Which group of elements is the list that people want. Real pages have decided about the numbers.

/** A group, and what its rows contain. */
export interface Ranked extends Group {
	/** What may be columns: the title, the link, and the others in the page's order. */
	places: Place[];
	title?: Place;
	link?: Place;
	score: number;
	/** Whether it may be a menu. */
	isMenu: boolean;
	/** Which part of the page's text it contains, if its rows have links and aren't paragraphs. */
	share: number;
}

const SOCIAL = /\/\/[^/]*\b(?:facebook|twitter|linkedin|whatsapp|pinterest|maps)\b/;
const NAME = /title|name|headline|heading/i;

const best = (places: Place[], score: (place: Place) => number) =>
	places.reduce<Place | undefined>(
		(one, other) => (one && score(one) >= score(other) ? one : other),
		undefined,
	);

const firstOf = ({ cells }: Place) => [...cells.values()][0];

/** The link to what a row is about. */
const linkOf = (places: Place[]) =>
	best(
		places.filter(({ kind }) => kind === 'Link'),
		(place) => {
			const { element, value } = firstOf(place);
			const isWorded = places.some(
				({ attribute, distinct, cells }) =>
					attribute === 'innerText' &&
					distinct > 0.5 &&
					overlap([...cells.values()][0].element, element),
			);
			const isSocial = SOCIAL.test(value.slice(0, 100));
			return (
				place.distinct *
				place.fill *
				(place.isHeading ? 1.3 : 1) *
				(isWorded ? 1.2 : 1) *
				(isSocial ? 0.3 : 1) *
				// The first of several equally good links.
				(1 - 0.002 * places.indexOf(place))
			);
		},
	);

/** How likely a text of some length is a title. */
const worthOf = (length: number) =>
	length < 4 ? 0.3 : length < 8 ? 0.8 : length > 250 ? 0.3 : length > 150 ? 0.7 : 1;

/** The text that names what a row is about. */
const titleOf = (places: Place[], link?: Place) =>
	best(
		places.filter(({ attribute }) => attribute === 'innerText'),
		(place) => {
			const { element, place: path } = firstOf(place);
			const isLinked = link && overlap(element, firstOf(link).element);
			return (
				place.distinct *
				place.fill *
				(place.isHeading ? 1.6 : 1) *
				(NAME.test(path.slice(-200)) ? 1.4 : 1) *
				(isLinked ? 1.6 : 1) *
				(place.kind === 'Text' ? 1 : 0.3) *
				worthOf(place.length)
			);
		},
	);

/** The rows that fill more than hardly any of the usual places. The others are headings or advertisements. */
function usual(rows: Element[], places: Place[]): Element[] {
	const core = places.filter(({ fill }) => fill >= 0.5);
	const least = Math.max(core.length > 2 ? 1 : 0, core.length * 0.25);
	return rows.filter((_, at) => core.filter(({ cells }) => cells.has(at)).length > least);
}

/** A group with its places; undefined if it has none. */
export async function ranked(page: Page, spots: Spot[], group: Group): Promise<Ranked | undefined> {
	const sample = usual(group.sample, await placesOf(page, spots, group.sample));
	if (sample.length < 2) return undefined;
	const all = await placesOf(page, spots, sample);
	const link = linkOf(all);
	const title = titleOf(all, link);
	const places: Place[] = [];
	for (const place of [title, link, ...all]) {
		if (place && !places.some((one) => isSame(place, one))) places.push(place);
	}
	if (places.length === 0) return undefined;
	const count = (group.rows.length * sample.length) / group.sample.length;
	const list = { ...group, sample, places, title, link };
	return { ...list, ...scoreOf(page, spots, list, count) };
}

/** How much of a row's text is a link's. */
function linkedShare({ elements }: Page, row: Element): number {
	if (chainOf(row).some(({ tag }) => tag === 'a')) return 1;
	let sum = 0;
	for (let at = row.at; at < row.end; at++) {
		const { tag, length, end } = elements[at];
		if (tag !== 'a') continue;
		sum += length;
		at = end - 1;
	}
	return sum / Math.max(row.length, 1);
}

/** More rows, columns and characters than these say nothing more. */
const [MOST_ROWS, MOST_COLUMNS, LONG, MOST_TEXT] = [150, 12, 120, 400];

function scoreOf(
	page: Page,
	spots: Spot[],
	{ rows, sample, places, title, link }: Omit<Ranked, 'score' | 'isMenu' | 'share'>,
	count: number,
) {
	const [first] = rows;
	const isMostly = (test: (row: Element) => boolean, least = 0.5) =>
		sample.filter(test).length > least * sample.length;
	const several = places.filter(({ key }) =>
		places.some((one) => one.key === `${key.slice(0, -1)}2`),
	);
	const kinds = new Set(several.map(({ key }) => key.slice(0, -1))).size;
	const isGrid = kinds > 1 && several.length >= places.length * 0.8;
	const linked = mean(sample.map((row) => linkedShare(page, row)));
	const isInList = (row: Element) => chainOf(row.parent ?? row).some(({ tag }) => tag === 'li');
	const hasList = ({ tag, at, end }: Element) =>
		tag === 'li' && page.elements.slice(at + 1, end).some((one) => one.tag === 'li');
	const isNested = isMostly((row) => isInList(row) || hasList(row), 0.3);
	const often = places.filter(({ fill }) => fill > 0.5).length;
	const isLinks = linked > 0.85 && (title?.length ?? 0) < 30 && often <= 2;
	const isBeside = isMostly(({ at }) => spots[at].beside === 'tag');
	const isNamed = isMostly(({ at }) => spots[at].beside === 'name');
	const isProse =
		(/^(p|blockquote)$/.test(first.tag) && linked < 0.4) ||
		(places.length === 1 && !link && places[0].length > LONG);
	const isLinked = link !== undefined && link.distinct > 0.7 && link.fill > 0.7;
	const factor =
		(isBeside ? 0.1 : 1) *
		(isNamed ? 0.2 : 1) *
		(isNested ? 0.2 : 1) *
		(isLinks ? 0.3 : 1) *
		(isGrid ? 0.3 : 1) *
		(isProse ? 0.15 : 1) *
		(isMostly(({ at }) => spots[at].isMain) ? 1.6 : 1) *
		(isLinked ? 2 : 1) *
		(title?.isHeading ? 1.5 : 1) *
		(rows.length < 3 ? 0.3 : 1) *
		(1 - cellness(sample));
	const columns = places
		.slice(0, MOST_COLUMNS)
		.reduce((sum, { fill, distinct }) => sum + fill ** 1.5 * Math.sqrt(distinct), 0);
	const texts = places.filter(({ attribute }) => attribute === 'innerText');
	const text = texts.reduce((sum, { fill, length }) => sum + Math.min(length, LONG) * fill, 0);
	const score =
		factor *
		Math.min(count, MOST_ROWS) ** 0.85 *
		Math.log2(1 + columns) ** 1.1 *
		Math.log2(2 + Math.min(text, MOST_TEXT)) ** 1.3 *
		mean(places.slice(0, 6).map(({ fill }) => fill)) ** 1.5;
	const inside = rows.reduce((sum, { length }) => sum + length, 0);
	return {
		score,
		isMenu: isBeside || isNested || isLinks,
		share: isLinked && !isProse ? inside / page.elements[0].length : 0,
	};
}
