import type { Page } from '../byExample/page';
import { isRaw, type Element } from '../byExample/reader';
import { isLasting } from '../byExample/selectors';

// Elements that may be the rows of a list.

/** Where an element is on the page. */
export interface Spot {
	/** Whether nobody sees it, or it is a part of something else, such as a list of options. */
	isHidden: boolean;
	isMain: boolean;
	/** Whether it is in a menu or next to the page's content, by a tag or role, or only by a class or ID. */
	beside: '' | 'tag' | 'name';
	/** The path to it: its tag and classes, and those around it. */
	step: string;
	path: number;
	/** How long its texts are that are in no other element. */
	own: number;
}

const HIDDEN = /^(head|svg|select|datalist|option|math|object|video|audio)$/;
const ROWLESS =
	/^(#page|html|body|head|br|hr|img|input|button|td|th|tbody|thead|tfoot|col|colgroup|source|picture|i|b|em|strong)$/;
const BESIDE = /^(nav|footer|header|aside|dialog)$/;
const BESIDE_ROLE =
	/^(navigation|banner|contentinfo|dialog|menu|menubar|complementary|tablist|listbox)$/;
const MENU =
	/(?<![a-z\d])(nav|navbar|navigation|menu|mega-?menu|submenu|footer|breadcrumbs?|social|share|sharing|cookies?|consent|lang|languages?|pagination|pager|skip|dropdown-menu)(?![a-z\d])/i;
const ASIDE =
	/(?<![a-z\d])(header|masthead|side-?bar|aside|toolbar|topbar|related|recommend(ed|ations)?|modal|popup|filters?|facets?|login|comments?|tags|tagcloud)(?![a-z\d])/i;
const MAIN = /^(main|content|main-content|primary|page-content)$/;
const INVISIBLE = /(?:^|;)\s?(?:display:\s?none|visibility:\s?hidden)/i;

/** Longer names are no names of a part of the page. */
const LONGEST_NAME = 200;

/** Where the elements of a page are, in their order. */
export async function spotsOf({ elements, rest }: Page): Promise<Spot[]> {
	const spots: Spot[] = [];
	const paths = new Map<string, number>();
	const [{ length: all }] = elements;
	for (const element of elements) {
		await rest();
		const { tag, parent, attributes, kinds, length } = element;
		const above = parent && spots[parent.at];
		if (above) above.own -= length;
		const { id = '', class: names = '', role = '', style = '' } = attributes;
		const isMain = above?.isMain || tag === 'main' || role === 'main' || MAIN.test(id);
		const isBeside =
			BESIDE_ROLE.test(role) || (BESIDE.test(tag) && !(tag === 'header' && above?.isMain));
		const named = `${id} ${names}`;
		const isNamed =
			!/^(html|body|main)$/.test(tag) &&
			named.length < LONGEST_NAME &&
			((length < all * 0.5 && MENU.test(named)) || (length < all * 0.3 && ASIDE.test(named)));
		const lasting = kinds.filter(isLasting);
		const step = [tag, ...(lasting.length > 0 ? lasting : kinds)].join('.');
		const key = `${above?.path ?? ''}>${step}`;
		const path = paths.get(key) ?? paths.size;
		paths.set(key, path);
		spots.push({
			isHidden:
				above?.isHidden ||
				isRaw(element) ||
				HIDDEN.test(tag) ||
				attributes.hidden !== undefined ||
				INVISIBLE.test(style.slice(0, LONGEST_NAME)),
			isMain,
			beside:
				above?.beside === 'tag' || isBeside ? 'tag' : above?.beside || (isNamed ? 'name' : ''),
			...{ step, path, own: length },
		});
	}
	return spots;
}

/** How many groups to compare, how many rows show what a group is, and how many elements a row has at most. */
const [MOST_GROUPS, SAMPLE, LARGEST] = [60, 40, 400];

export interface Group {
	rows: Element[];
	/** Some of its rows, from all parts of the list. */
	sample: Element[];
}

export const sampleOf = <T>(all: T[], most = SAMPLE): T[] => {
	const step = Math.ceil(all.length / most);
	return all.filter((_, at) => at % step === 0);
};

export const mean = (numbers: number[]) =>
	numbers.reduce((sum, one) => sum + one, 0) / Math.max(numbers.length, 1);

/** The groups of elements that may be rows: with the same path, with the same tags around them, or siblings. */
export async function groupsOf(page: Page, spots: Spot[]): Promise<Group[]> {
	const found = new Map<unknown, Element[]>();
	const add = (key: unknown, element: Element) => {
		const group = found.get(key);
		if (group) group.push(element);
		else found.set(key, [element]);
	};
	for (const element of page.elements) {
		await page.rest();
		const { at, end, tag, length, trail, peers } = element;
		const { isHidden, path } = spots[at];
		if (isHidden || ROWLESS.test(tag) || (length === 0 && end - at < 2)) continue;
		add(path, element);
		add(trail, element);
		if (peers.length > 1) add(peers, element);
	}
	const known = new Set<string>();
	const ranked: Array<Group & { worth: number }> = [];
	for (const all of found.values()) {
		await page.rest();
		if (all.length < 2) continue;
		const mark = `${all.length} ${all[0].at} ${all.at(-1)?.at}`;
		if (known.has(mark)) continue;
		known.add(mark);
		const sample = sampleOf(all);
		if (mean(sample.map(({ at, end }) => end - at)) > LARGEST) continue;
		const texts = new Set(sample.map(({ text }) => text.slice(0, 300)).filter(Boolean));
		if (texts.size < 2 || texts.size < sample.length * 0.4) continue;
		const length = mean(sample.map((row) => Math.min(row.length, LARGEST)));
		const besides = mean(sample.map(({ at }) => Number(spots[at].beside !== '')));
		const worth =
			Math.sqrt(all.length) *
			Math.log2(2 + length) *
			(texts.size / sample.length) *
			(besides > 0.5 ? 0.3 : 1);
		ranked.push({ rows: all, sample, worth });
	}
	return ranked.sort((one, other) => other.worth - one.worth).slice(0, MOST_GROUPS);
}
