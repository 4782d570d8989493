import type { Cheerio } from 'cheerio';
import type { Element } from 'domhandler';
import { z } from 'zod';
import { type Action, pairsOf } from '../self-hosted/sdk-workflow.mts';
import { resolve } from './content.mts';
import { decrypt } from './encryption.mts';
import { cssBelow, cssOf, isXPath, select } from './selectors.mts';
import type { Tab } from './tab.mts';

type Row = Record<string, string>;

/** What a workflow captured, by the names of its captures. */
export interface Captured {
	texts: Row;
	lists: Record<string, Row[]>;
	/** The names of the screenshots to take, with the page that was open. */
	screenshots: Array<{ name: string; url: string }>;
}

/** The actions of a workflow in the order in which a robot carries them out: it reads the pairs from the end. */
const actionsOf = (workflow: unknown): Action[] =>
	[...(pairsOf(workflow) ?? [])].reverse().flatMap(({ what }) => what);

/** Whether a workflow contains the page to open. */
export const opensPage = (workflow: unknown): boolean =>
	actionsOf(workflow).some(({ action: kind }) => kind === 'goto');

const field = z
	.object({ selector: z.string(), attribute: z.string().default('innerText') })
	.passthrough();

const list = z.object({
	listSelector: z.string(),
	fields: z.record(field),
	limit: z.number().default(100),
	pagination: z
		.object({ type: z.string().catch('none'), selector: z.string().catch('') })
		.catch({ type: 'none', selector: '' }),
});
type List = z.infer<typeof list>;

/**
 * Carries out a workflow.
 * @param start replaces the first page, or is the page of a workflow that opens none
 * @throws Error with the reason why the run fails
 */
export async function carryOut(workflow: unknown, tab: Tab, start?: string): Promise<Captured> {
	const captured: Captured = { texts: {}, lists: {}, screenshots: [] };
	let first = start;
	if (!opensPage(workflow) && start !== undefined) await tab.open(start);
	for (const step of actionsOf(workflow)) {
		const [argument] = step.args;
		if (step.action === 'goto') {
			await tab.open(first ?? String(argument));
			first = undefined;
		} else if (step.action === 'click') {
			await tab.click(String(argument)); // a missing element is skipped
		} else if (step.action === 'type') {
			tab.type(String(argument), decrypt(String(step.args[1])));
		} else if (step.action === 'waitForSelector') {
			tab.demand(String(argument));
		} else if (step.action === 'scroll') {
			await tab.scroll();
		} else if (step.action === 'screenshot') {
			captured.screenshots.push({ name: step.name ?? 'Screenshot', url: tab.url });
		} else if (step.action === 'scrapeSchema') {
			Object.assign(captured.texts, readTexts(tab, z.record(field).parse(argument)));
		} else if (step.action === 'scrapeList') {
			const name = step.name ?? `List ${Object.keys(captured.lists).length + 1}`;
			captured.lists[name] = await readList(tab, list.parse(argument));
		}
	}
	return captured;
}

function readTexts(tab: Tab, fields: Record<string, z.infer<typeof field>>): Row {
	const texts: Row = {};
	for (const [name, { selector, attribute }] of Object.entries(fields)) {
		// A robot reads single fields with the browser's own function for CSS.
		if (isXPath(selector)) throw new Error(`'${selector}' is not a valid selector`);
		const value = valueOf(select(tab.$, selector).first(), attribute, tab.url);
		if (value !== undefined) texts[name] = value;
	}
	return texts;
}

async function readList(tab: Tab, config: List): Promise<Row[]> {
	const { limit, pagination } = config;
	const rows: Row[] = [];
	let pages = 0;
	do {
		const shown = rowsOn(tab, config);
		// Only a next page replaces the rows.
		if (pagination.type === 'clickNext') rows.push(...shown);
		else rows.splice(0, rows.length, ...shown);
	} while (rows.length < limit && pages++ < 1000 && (await continues(tab, pagination)));
	return rows.slice(0, limit);
}

async function continues(tab: Tab, { type, selector }: List['pagination']): Promise<boolean> {
	if (type === 'clickNext' || type === 'clickLoadMore') return await tab.click(selector);
	return type === 'scrollDown' || type === 'scrollUp' ? await tab.scroll() : false;
}

function rowsOn(tab: Tab, { listSelector, fields }: List): Row[] {
	return select(tab.$, listSelector)
		.toArray()
		.map((element) => {
			const item = tab.$(element);
			const row: Row = {};
			for (const [name, { selector, attribute }] of Object.entries(fields)) {
				const value = columnOf(item, selector, listSelector, attribute, tab.url);
				if (value !== undefined) row[name] = value;
				else if (isXPath(listSelector)) row[name] = '';
			}
			return row;
		})
		.filter((row) => Object.values(row).some((value) => value !== ''));
}

/** The value of a column. XPath must begin with that of the list, and a list in CSS loses it. */
function columnOf(
	item: Cheerio<Element>,
	selector: string,
	listSelector: string,
	attribute: string,
	url: string,
): string | undefined {
	if (!isXPath(selector)) return valueOf(item.find(cssOf(selector)).first(), attribute, url);
	const below = isXPath(listSelector) ? cssBelow(selector, listSelector) : undefined;
	if (below === undefined) return undefined;
	return valueOf(below === '' ? item : item.find(below.trim()).first(), attribute, url);
}

function valueOf(element: Cheerio<Element>, attribute: string, url: string): string | undefined {
	if (element.length === 0) return undefined;
	if (attribute === 'innerText') return element.text().replace(/\s+/g, ' ').trim();
	const value = element.attr(attribute);
	const isAddress = attribute === 'href' || attribute === 'src';
	return value !== undefined && isAddress ? resolve(value, url) : value;
}
