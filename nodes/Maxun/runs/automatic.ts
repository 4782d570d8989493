import { findOn, type FoundList, type FoundPage } from '../automatic/find';
import type { Thing } from '../html/thing';
import type { Rest } from '../http/concurrency';
import { counted, quoted, sentences, short } from '../http/text';
import { DECLARED } from '../results/captured';
import { RunFault } from '../results/runFault';
import type { ExtractDefinition, RowsToRead } from '../servers/definition';
import { findButton } from './examples';
import type { Found, Learnt } from './types';

type Wanted = Pick<ExtractDefinition, 'url' | 'examples' | 'rowsToRead'>;

/** Finds a list on a page, or that the page is about one thing. @throws RunFault if the page doesn't have it */
export async function learnAutomatically(html: string, given: Wanted, rest: Rest): Promise<Found> {
	const { url, rowsToRead = 'automatic' } = given;
	const page = await findOn(html, url, rest);
	const chosen = choose(page, rowsToRead, url);
	const hints = hintsOn(page, chosen, url);
	if (!('rows' in chosen)) {
		const field = { name: DECLARED, selector: 'html', attribute: 'outerHTML' };
		return { hints, selectors: { fields: [field] }, rows: [chosen.fields] };
	}
	const { rowSelector, columns, rows } = chosen;
	const paginationSelector = await findButton(html, given, rest);
	return {
		hints,
		selectors: { fields: [], list: { rowSelector, columns, paginationSelector } },
		rows,
	};
}

function choose(page: FoundPage, wanted: RowsToRead, url: string) {
	const { lists, thing, isThing } = page;
	const isAutomatic = wanted === 'automatic';
	const best = lists.find(({ isMenu }) => !isMenu);
	const isOne = wanted === 'thing' || (isAutomatic && (isThing || !best));
	const list = isAutomatic ? best : lists[Number(wanted.slice('list'.length)) - 1];
	const chosen = isOne ? thing : list;
	if (chosen) return chosen;
	const others = otherChoices(page);
	throw new RunFault(
		isAutomatic
			? `The node did not find any rows on ${url}`
			: `The page does not have the rows selected in 'Rows to Read': ${url}`,
		sentences(
			'Check the page in a browser',
			others.length > 0 ? `In 'Rows to Read', you can select ${others.join(', ')}` : '',
			"If the rows are on the page, set 'Describe the Data' to 'By Example'",
		),
		'the rows were not found',
		{ forModel: 'Read the page with Scrape Page, or give examples from it' },
	);
}

/** The lists and the thing on a page, with the options of 'Rows to Read' that select them. */
const otherChoices = ({ lists, thing }: FoundPage, chosen?: FoundList | Thing) =>
	[
		...lists.map((list, index) => ({ found: list, name: `List ${index + 1}` })),
		...(thing ? [{ found: thing, name: 'Subject of the Page' }] : []),
	]
		.filter(({ found }) => found !== chosen)
		.map(({ found, name }) => `'${name}' (${sizeOf(found)}, such as ${valuesOf(found, 1)})`);

/** What was read, what else the page has, and why the rows may not be what people want. */
function hintsOn(page: FoundPage, chosen: FoundList | Thing, url: string): Learnt['hints'] {
	const texts = {
		[BY_ITSELF]: `${sizeOf(chosen)} with ${quoted(Object.keys(rowOf(chosen)), 12)}, such as ${valuesOf(chosen, 3)}`,
		[MORE_LISTS]: otherChoices(page, chosen).join(', '),
		[UNSURE]: chosen.doubt,
	};
	const place = url.replace(/^https?:\/\//, '').replace(/^.+(?=.{60}$)/s, '…');
	return Object.entries(texts).flatMap(([message, text]): Learnt['hints'] =>
		text ? [[message, 1, `${text} on ${place}`]] : [],
	);
}

const rowOf = (found: FoundList | Thing) =>
	'rows' in found ? (found.rows[0] ?? {}) : found.fields;

const sizeOf = (found: FoundList | Thing): string =>
	'rows' in found ? counted(found.rows.length, 'row') : `1 ${found.type}`;

function valuesOf(found: FoundList | Thing, most: number): string {
	const values = Object.values(rowOf(found)).filter(Boolean).slice(0, most);
	return quoted(values.map((value) => short(String(value), 40)));
}

const BY_ITSELF = 'The node found the rows by itself';

const MORE_LISTS = "The page has more data, which you can select in 'Rows to Read'";

const UNSURE = 'These may not be the rows that you want';
