import { overlap, type Page } from '../html/page';
import type { Element } from '../html/reader';
import { chainOf } from '../html/selectors';
import { mean, type Group, type Spot } from './groups';
import { isSame, isShownBy, slotsOf, type Slot } from './slots';

// The weights come from tests with real pages.

interface Listing extends Group {
	/** Possible columns: the title, the link, and the others in the page's order. */
	slots: Slot[];
	title?: Slot;
	link?: Slot;
}

export interface Ranked extends Listing {
	score: number;
	/** The number of columns, which may be a fraction. */
	columns: number;
	/** Whether it is beside the content, and has little more than links. */
	isMenu: boolean;
	/** Its share of the page's text, if its rows have links and aren't paragraphs. */
	share: number;
}

const topOf = ({ cells }: Slot) => [...cells.values()][0].element;

const worthOf = (length: number) =>
	length < 4 || length > 250 ? 0.3 : length > 150 ? 0.7 : length < 8 ? 0.8 : 1;

const worthOfTitle = ({ isHeading, kind, length, distinct, fill }: Slot) =>
	(isHeading ? 1.6 : 1) * (kind === 'Text' ? 1 : 0.3) * worthOf(length) * distinct * fill;

const worthOfLink = ({ isHeading, distinct, fill }: Slot) =>
	(isHeading ? 1.3 : 1) * distinct * fill;

/** Any text or link is better than none. */
const LEAST = 0.001;

/** The text that names a row, and the link to what the row is about. One is often in the other. */
function titleAndLink(slots: Slot[]): Pick<Listing, 'title' | 'link'> {
	const links = [undefined, ...slots.filter(({ kind }) => kind === 'Link')];
	let best: Pick<Listing, 'title' | 'link'> & { worth: number } = { worth: 0 };
	for (const title of [undefined, ...slots.filter((slot) => slot.attribute === 'innerText')]) {
		for (const link of links) {
			const isLinked = title && link && overlap(topOf(title), topOf(link));
			const worth =
				(title ? worthOfTitle(title) : LEAST) *
				(link ? worthOfLink(link) : LEAST) *
				(isLinked ? 1.3 : 1);
			if (worth > best.worth) best = { title, link, worth };
		}
	}
	return best;
}

/** A group with its slots; undefined if it has none. */
export async function ranked(page: Page, spots: Spot[], group: Group): Promise<Ranked | undefined> {
	const all = await slotsOf(page, spots, group.sample);
	const { title, link } = titleAndLink(all);
	const slots: Slot[] = [];
	for (const slot of [title, link, ...all])
		if (slot && !slots.some((one) => isSame(slot, one))) slots.push(slot);
	if (slots.length === 0) return undefined;
	const list = { ...group, slots, title, link };
	const score = scoreOf(page, spots, list);
	return { ...list, ...score, slots: slots.filter((slot) => !isShownBy(slot, slots)) };
}

function linkedShare({ elements }: Page, row: Element): number {
	if (chainOf(row).some(({ tag }) => tag === 'a')) return 1;
	const links = elements.slice(row.at, row.end).filter(({ tag }) => tag === 'a');
	return links.reduce((sum, { length }) => sum + length, 0) / Math.max(row.length, 1);
}

/** Whether every second or third row lacks a column, or has it. Then these rows are of another kind. */
export const alternates = (places: number[], isFilled: (index: number) => boolean): boolean =>
	[2, 3].some((every) => {
		const [filled, empty] = [true, false].map(
			(kind) =>
				new Set(places.flatMap((at, index) => (isFilled(index) === kind ? at % every : []))),
		);
		const isExact = filled.size > 0 && empty.size > 0 && filled.size + empty.size === every;
		return isExact && places.length > 5 * every;
	});

/** More or longer rows don't make a list more likely. */
const [MOST_ROWS, LONGEST] = [150, 400];

/** From a list's rows, text, columns and links. Doubts count more. */
function scoreOf(page: Page, spots: Spot[], { rows, sample, slots, title, link }: Listing) {
	const isMostly = (test: (row: Element) => boolean, least = 0.5) =>
		sample.filter(test).length > least * sample.length;
	const isItem = ({ tag }: Element) => tag === 'li';
	const isNested = isMostly((row) => {
		const inside = isItem(row) ? page.elements.slice(row.at + 1, row.end) : [];
		const around = chainOf(row).slice(1);
		return inside.some(isItem) || around.some((one) => isItem(one) && one.peers.length > 1);
	}, 0.3);
	const linked = mean(sample.map((row) => linkedShare(page, row)));
	const often = slots.filter(({ fill }) => fill > 0.5);
	const isPair = often.length <= 2;
	const isMany = often.filter(({ kind }) => kind === 'Link').length > 1;
	const isLinks = linked > 0.9 && (title?.length ?? 0) < 30 && (isPair || isMany);
	const isBeside = isMostly(({ at }) => spots[at].isBeside);
	const isHidden = isMostly(({ at }) => spots[at].isHidden);
	const isLinked = link !== undefined && link.distinct > 0.7 && link.fill > 0.7;
	const columns = slots.reduce((sum, one) => sum + one.fill ** 2 * Math.sqrt(one.distinct), 0);
	const isPlain = slots.length === 1 && !link;
	const against = [isNested, isLinks, isBeside, isHidden, isPlain].filter(Boolean).length;
	const length = mean(sample.map((row) => row.length));
	const size = Math.min(rows.length, MOST_ROWS) * Math.log2(2 + Math.min(length, LONGEST));
	const score = size * columns * (isLinked ? 4 : 1) * 0.05 ** against;
	const isProse = /^(p|blockquote)$/.test(rows[0].tag) && linked < 0.4;
	const share = isLinked && !isProse ? (length * rows.length) / page.elements[0].length : 0;
	return { score, columns, isMenu: isBeside && isPair, share };
}
