import { randomFrom } from '../simulation/random.mts';

type Random = () => number;

/** Lines that differ with every visit. `day` counts the checks. */
type Block = (day: number, random: Random) => string[];

const pick = (list: string[], random: Random) => list[Math.floor(random() * list.length)] ?? '';
const number = (from: number, to: number, random: Random) =>
	Math.floor(from + random() * (to - from)).toLocaleString('en-US');
const dateOf = (day: number) => new Date(Date.UTC(2026, 0, 1) + day * 24 * 3_600_000);
const inWords = (day: number, options: Intl.DateTimeFormatOptions) =>
	dateOf(day).toLocaleDateString('en-US', { ...options, timeZone: 'UTC' });

const WORDS =
	'river stone lamp garden winter paper bridge copper field morning travel kitchen silver forest engine market window'.split(
		' ',
	);
const sentence = (random: Random) => Array.from({ length: 5 }, () => pick(WORDS, random)).join(' ');
const pool = (count: number, seed: number) => {
	const random = randomFrom(seed);
	return Array.from({ length: count }, () => sentence(random));
};
const QUOTES = pool(40, 1);
const ARTICLES = pool(60, 2);

/** Different members of a list. */
function several(count: number, list: string[], random: Random): string[] {
	const left = [...list];
	return Array.from(
		{ length: count },
		() => left.splice(Math.floor(random() * left.length), 1)[0] ?? '',
	);
}

const BLOCKS: Record<string, Block> = {
	banner: (_, random) => (random() < 0.3 ? ['We use cookies. [Accept all](#accept)'] : []),
	ad: (_, random) => (random() < 0.8 ? [`Sponsored: ${sentence(random)}`] : []),
	quote: (_, random) => ['### Quote of the day', pick(QUOTES, random)],
	related: (_, random) => [
		'### Related articles',
		...several(3, ARTICLES, random).map(
			(title) => `- [${title}](/a/${title.replaceAll(' ', '-')})`,
		),
	],
	visitors: (day, random) => [
		`Visitors today: ${number(900, 3000, random)}`,
		`You are visitor number ${(15_000 + 37 * day).toLocaleString('en-US')}`,
	],
	watching: (_, random) => [`${number(2, 40, random)} people are watching this`],
	social: (_, random) => [
		`${number(10, 90, random)} comments · ${number(100, 900, random)} shares`,
	],
	updated: (day, random) => [
		`Last updated: ${inWords(day, { month: 'short', day: 'numeric', year: 'numeric' })}, ${10 + Math.floor(random() * 12)}:${10 + Math.floor(random() * 49)}`,
	],
	header: (day) => [
		inWords(day, { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' }),
	],
	age: (_, random) => [`Posted ${number(2, 23, random)} hours ago by Anna`],
	server: (_, random) => [
		`Served by web-${number(1, 9, random)} in 0.${number(100, 999, random)} s`,
	],
	session: (_, random) => [`Request ${Math.floor(random() * 2 ** 32).toString(16)}`],
	countdown: (_, random) => [
		`The offer ends in ${number(10, 23, random)}:${number(10, 59, random)}:${number(10, 59, random)}`,
	],
};

export const NOISE = { lines: ['sponsored', 'cookies'], numbers: true, always: true };

/** A page by its number: a text that doesn't change, with its price, stock and version, and five kinds of noise in it. */
export function noisyPage(page: number) {
	const random = randomFrom(100 + page);
	const names = several(5, Object.keys(BLOCKS), random);
	const stable = Array.from({ length: 15 }, (_, line) =>
		line % 5 === 0 ? `## Section ${line / 5 + 1}` : `Line ${line}: ${sentence(random)}`,
	);
	const facts = ['Stock', '12 left', 'Version', '2', 'Price', '$249.00', 'End of facts'];
	const places = names.map(() => 1 + Math.floor(random() * stable.length));
	return (day: number): string[] => {
		const visit = randomFrom(page * 1000 + day);
		const lines = [...stable, ...facts].flatMap((line, index) => [
			...names.flatMap((name, place) =>
				places[place] === index ? (BLOCKS[name]?.(day, visit) ?? []) : [],
			),
			line,
		]);
		return [`# Page ${page}`, ...lines];
	};
}

interface RealChange {
	/** The page on each of the days before. */
	before(lines: string[], day: number): string[];
	after(lines: string[]): string[];
}

const same = (lines: string[]) => lines;
const replaced = (old: RegExp, young: string) => (lines: string[]) =>
	lines.map((line) => line.replace(old, young));
const changed = (old: RegExp, young: string): RealChange => ({
	before: same,
	after: replaced(old, young),
});

/** Something in the middle of the page that differs each day, until it changes. */
const daily = (valueOf: (day: number) => string[], last: string[]): RealChange => ({
	before: (lines, day) =>
		lines.flatMap((line) => (line === 'Stock' ? [...valueOf(day), line] : [line])),
	after: (lines) =>
		lines
			.flatMap((line) => (line === 'Stock' ? [...last, line] : [line]))
			.filter((line) => !valueOf(5).includes(line)),
});

const MENUS = ['Soup', 'Pasta', 'Rice', 'Salad', 'Stew', 'Curry'];

/** The last two changes happen each day. */
export const REAL_CHANGES: Array<[name: string, change: RealChange]> = [
	['a price', changed(/^\$249\.00$/, '$199.00')],
	['a currency', changed(/^\$249\.00$/, '€249.00')],
	['the end of the stock', changed(/^12 left$/, 'Sold out')],
	['a version', changed(/^2$/, '3')],
	['a sentence', changed(/^Line 7:.*$/, 'Line 7: we close in March')],
	[
		'a removed line',
		{ before: same, after: (lines) => lines.filter((line) => !line.startsWith('Line 8')) },
	],
	[
		'an added line',
		{
			before: same,
			after: (lines) =>
				lines.flatMap((line) => (line.startsWith('Line 9') ? [line, 'New: oak desks'] : [line])),
		},
	],
	['a heading', changed(/^## Section 2$/, '## Section 2, closed')],
	['a price that changes daily', daily((day) => [`Today $${40 - day}.50`], ['Today $12.50'])],
	[
		'a menu that changes daily',
		daily((day) => [MENUS[day] ?? ''], ['Fish', 'The kitchen is closed']),
	],
];
