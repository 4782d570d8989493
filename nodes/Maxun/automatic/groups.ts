import { sampleOf, type Page } from '../html/page';
import { isHeader, isRaw, type Element } from '../html/reader';
import { isLasting } from '../html/selectors';

export interface Spot {
	/** Whether it can't contain a row, such as an option of a field. */
	isNone: boolean;
	/** Whether it is hidden at first, as in a closed tab. */
	isHidden: boolean;
	isMain: boolean;
	/** Whether it is in a menu or next to the content. */
	isBeside: boolean;
	/** Numbers for its tag and classes, and for the path of these. */
	kind: number;
	path: number;
	/** The length of its texts that aren't in another element. */
	own: number;
}

/** Elements that may be the rows of a list, and a sample from all its parts. */
export interface Group {
	rows: Element[];
	sample: Element[];
}

const NONE = /^(head|svg|select|datalist|math|object|video|audio)$/;
const INVISIBLE = /(?:^|;) ?(?:display: ?none|visibility: ?hidden)/i;
const ROWLESS =
	/^(#page|html|body|br|hr|img|input|button|td|th|tbody|thead|tfoot|source|picture|i|b|em|strong)$/;
const BESIDE = /^(nav|footer|header|aside|dialog|button)$/;
const ROLE = /^(navigation|banner|contentinfo|dialog|menu|menubar|complementary|tablist|listbox)$/;
const MAIN = /^(main|content|main-content|primary|page-content)$/;
/** Names of menus and other parts. Names of larger parts may stand for the content. */
const NAMES = new RegExp(
	`(?<![a-z\\d]|no-)(${[
		'nav|navbar|navigation|menu|mega-?menu|submenu|footer|breadcrumbs?|social|shar(e|ing)|cookies?|consent|lang|languages?|pagination|pager|skip|dropdown-menu',
		'header|masthead|side-?bar|aside|toolbar|topbar|related|recommend(ed|ations)?|modal|popup|filters?|facets?|login|comments?|tags|tagcloud',
	].join('|')})(?![a-z\\d])`,
	'i',
);
const MOST_NAMED = 0.5;
const MOST_READ = 200;

/** Where the elements of a page are, in their order. */
export async function spotsOf({ elements, rest }: Page): Promise<Spot[]> {
	const spots: Spot[] = [];
	const paths = new Map<string, number>();
	const numbered = (key: string) => {
		const number = paths.get(key) ?? paths.size;
		paths.set(key, number);
		return number;
	};
	for (const element of elements) {
		await rest();
		const { tag, parent, attributes, kinds, length } = element;
		const above = parent && spots[parent.at];
		if (above) above.own -= length;
		const { id = '', class: names = '', role = '', style = '' } = attributes;
		const name = /^(html|body|main)$/.test(tag) ? '' : `${id} ${names}`;
		const share = length / elements[0].length;
		const isMain = above?.isMain || tag === 'main' || role === 'main' || MAIN.test(id);
		const isTagged = (BESIDE.test(tag) && !(tag === 'header' && isMain)) || ROLE.test(role);
		const isNamed = !isMain && name.length < MOST_READ && share < MOST_NAMED && NAMES.test(name);
		const isInvisible =
			attributes.hidden !== undefined || INVISIBLE.test(style.slice(0, MOST_READ));
		const lasting = kinds.filter(isLasting);
		const kind = numbered([tag, ...(lasting.length > 0 ? lasting : kinds)].join('.'));
		const path = numbered(`${above?.path}>${kind}`);
		spots.push({
			isNone: above?.isNone || isRaw(element) || NONE.test(tag),
			isHidden: above?.isHidden || isInvisible,
			isMain,
			isBeside: above?.isBeside || isTagged || isNamed,
			...{ kind, path, own: length },
		});
	}
	return spots;
}

/** How many groups to compare, how many of their rows, and how many elements a row has at most. */
const [MOST_GROUPS, SAMPLE, LARGEST] = [60, 40, 400];

export const mean = (numbers: number[]) =>
	numbers.reduce((sum, one) => sum + one, 0) / Math.max(numbers.length, 1);

/** The groups of elements with the same path, with the same tags around them, or with the same parent. */
export async function groupsOf(page: Page, spots: Spot[]): Promise<Group[]> {
	const found = new Map<unknown, Element[]>();
	for (const element of page.elements) {
		await page.rest();
		const { at, end, tag, length, trail, peers } = element;
		const { isNone, path } = spots[at];
		if (isNone || isHeader(element) || ROWLESS.test(tag) || (length === 0 && end - at < 2))
			continue;
		for (const key of [path, trail, peers]) {
			const group = found.get(key);
			if (group) group.push(element);
			else found.set(key, [element]);
		}
	}
	const known = new Set<string>();
	const groups: Array<Group & { worth: number }> = [];
	for (const rows of found.values()) {
		await page.rest();
		const mark = `${rows.length} ${rows[0].at} ${rows.at(-1)?.at}`;
		if (rows.length < 2 || known.has(mark)) continue;
		known.add(mark);
		const sample = sampleOf(rows, SAMPLE);
		const texts = new Set(sample.map(({ text }) => text.slice(0, MOST_READ)).filter(Boolean));
		const isLarge = mean(sample.map(({ at, end }) => end - at)) > LARGEST;
		if (isLarge || texts.size < 2 || texts.size < sample.length * 0.4) continue;
		const length = mean(sample.map((row) => Math.min(row.length, LARGEST)));
		const { isBeside } = spots[rows[0].at];
		const worth = Math.sqrt(rows.length) * Math.log2(2 + length) * (isBeside ? 0.3 : 1);
		groups.push({ rows, sample, worth });
	}
	return groups.sort((one, other) => other.worth - one.worth).slice(0, MOST_GROUPS);
}
