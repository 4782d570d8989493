import { type Action, pairsOf } from '../self-hosted/sdk-workflow.mts';
import { decrypt } from './encryption.mts';
import { type Field, type List, list, rowsOn, type Row, valueOf } from './lists.mts';
import { select } from './selectors.mts';
import type { Tab } from './tab.mts';

/** A workflow's captured data, by the captures' names. */
export interface Captured {
	texts: Row;
	lists: Record<string, Row[]>;
	/** The names of the screenshots to take, with the pages that were open. */
	screenshots: Array<{ name: string; url: string }>;
}

/** A workflow's actions in the robot's order. A robot reads the pairs from the end. */
const actionsOf = (workflow: unknown): Action[] =>
	[...(pairsOf(workflow) ?? [])].reverse().flatMap(({ what }) => what);

export const opensPage = (workflow: unknown): boolean =>
	actionsOf(workflow).some(({ action: kind }) => kind === 'goto');

/**
 * Carries out a workflow.
 * @param start replaces the first page, or is the page if the workflow opens none
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
			await tab.click(String(argument)); // A missing element is skipped.
		} else if (step.action === 'type') {
			tab.type(String(argument), decrypt(String(step.args[1])));
		} else if (step.action === 'keyboard.press') {
			await tab.press(String(argument));
		} else if (step.action === 'selectOption') {
			tab.choose(String(argument), String(step.args[1]));
		} else if (step.action === 'waitForSelector') {
			tab.demand(String(argument));
		} else if (step.action === 'scroll') {
			await tab.scroll();
		} else if (step.action === 'screenshot') {
			captured.screenshots.push({ name: step.name ?? 'Screenshot', url: tab.url });
		} else if (step.action === 'scrapeSchema') {
			Object.assign(captured.texts, readTexts(tab, list.shape.fields.parse(argument)));
		} else if (step.action === 'scrapeList') {
			const name = step.name ?? `List ${Object.keys(captured.lists).length + 1}`;
			captured.lists[name] = await readList(tab, list.parse(argument));
		}
	}
	return captured;
}

function readTexts(tab: Tab, fields: Record<string, Field>): Row {
	const texts: Row = {};
	for (const [name, { selector, attribute }] of Object.entries(fields)) {
		// A robot reads single fields with the browser's own function for CSS.
		if (/^\(*\/\//.test(selector)) throw new Error(`'${selector}' is not a valid selector`);
		const element = select(tab.$, selector).first();
		if (element.length > 0) texts[name] = valueOf(element, attribute, tab.url) ?? '';
	}
	return texts;
}

/** A list's rows on all pages. With a pagination, even `none`, equal rows count once. */
async function readList(tab: Tab, config: List): Promise<Row[]> {
	const { limit, pagination } = config;
	if (pagination === undefined) return rowsOn(tab, config);
	const rows = new Map<string, Row>();
	let pages = 0;
	do {
		const shown = rowsOn(tab, config);
		const names = Object.keys(shown[0] ?? {}).sort();
		for (const row of shown) {
			const key = JSON.stringify(names.map((name) => row[name] ?? ''));
			if (!rows.has(key)) rows.set(key, row);
		}
	} while (rows.size < limit && pages++ < 1000 && (await continues(tab, pagination)));
	return [...rows.values()].slice(0, limit);
}

async function continues(
	tab: Tab,
	{ type, selector }: NonNullable<List['pagination']>,
): Promise<boolean> {
	if (type === 'clickNext' || type === 'clickLoadMore') return await tab.click(selector);
	return type === 'scrollDown' || type === 'scrollUp' ? await tab.scroll() : false;
}
