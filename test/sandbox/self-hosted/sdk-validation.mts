import { randomUUID } from 'node:crypto';
import type { Cheerio, CheerioAPI } from 'cheerio';
import type { Element } from 'domhandler';
import { z } from 'zod';
import { encrypt } from '../engine/encryption.mts';
import { select, xpathOf } from '../engine/selectors.mts';
import type { Tab } from '../engine/tab.mts';

import type { Action } from './sdk-workflow.mts';

const captured = z.union([
	z.string().transform((selector) => ({ selector, attribute: 'innerText' })),
	z.object({ selector: z.string(), attribute: z.string().default('innerText') }),
]);
const listArgument = z.object({
	itemSelector: z.string().catch(''),
	maxItems: z.number().optional(),
	pagination: z
		.object({ type: z.string(), selector: z.string().optional() })
		.passthrough()
		.optional(),
});

const LOADED = { action: 'waitForLoadState', args: ['networkidle'] };
const MOST_ROWS = 100;

/**
 * A page's actions as the server stores them after it has tried their selectors. It carries out no steps.
 * @param errors receives what doesn't work
 */
export function validated(what: Action[], { $ }: Tab, errors: string[]): unknown[] {
	return what.flatMap((step) => {
		if (step.action === 'type') return typed($, step, errors);
		if (step.action === 'scrapeSchema') return schema($, step, errors);
		if (step.action === 'scrapeList') return list($, step, errors);
		return [step];
	});
}

function typed($: CheerioAPI, step: Action, errors: string[]): unknown[] {
	const [selector, text, inputType] = step.args.map(String);
	if (selector === undefined || text === undefined) {
		errors.push('type action missing selector or value');
		return [];
	}
	const input = select($, selector).first();
	if (inputType === undefined && input.length === 0) {
		const problem = `Selector "${selector}" did not match any elements`;
		errors.push(`type action: Failed to detect input type: ${problem}`);
		return [];
	}
	const args = [selector, encrypt(text), inputType ?? input.attr('type') ?? 'text'];
	return [{ ...step, args }, LOADED];
}

function schema($: CheerioAPI, step: Action, errors: string[]): unknown[] {
	const fields = z.record(captured).catch({}).parse(step.args[0]);
	const checked = Object.entries(fields).map(([name, { selector, attribute }]) => {
		const found = elementOf($, selector);
		if (typeof found === 'string') errors.push(`Field "${name}": ${found}`);
		const tag = typeof found === 'string' ? '' : found.name.toUpperCase();
		return [name, { tag, isShadow: false, selector, attribute }];
	});
	const actionId = `text-${randomUUID()}`;
	return [{ ...named(step), actionId, args: [Object.fromEntries(checked)] }, LOADED];
}

function elementOf($: CheerioAPI, selector: string): Element | string {
	try {
		const [element] = select($, selector).toArray();
		return element ?? `Selector "${selector}" did not match any elements`;
	} catch {
		const problem = `Unexpected token "" while parsing css selector "${selector}"`;
		return `Invalid selector: locator.count: ${problem}. Did you mean to CSS.escape it?`;
	}
}

function list($: CheerioAPI, step: Action, errors: string[]): unknown[] {
	const { itemSelector, maxItems, pagination } = listArgument.parse(step.args[0] ?? {});
	const item = elementOf($, itemSelector);
	if (typeof item === 'string') {
		errors.push('Selector did not match any elements on the page');
		return [];
	}
	const listSelector = xpathOf($, item);
	const config = {
		limit: maxItems || MOST_ROWS,
		fields: columnsOf($, item, listSelector),
		pagination: pagination ?? detectedPagination($),
		listSelector,
	};
	return [{ ...named(step), actionId: `list-${randomUUID()}`, args: [config] }, LOADED];
}

const named = ({ action, name }: Action) => ({ action, ...(name && { name }) });

/** An item's texts and links, with the labels of a server without a language model. */
function columnsOf($: CheerioAPI, item: Element, listSelector: string): Record<string, unknown> {
	const columns = leavesOf($(item)).flatMap((element) => {
		const selector = listSelector + xpathOf($, element, item);
		const attributes = element.attribs.href === undefined ? ['innerText'] : ['innerText', 'href'];
		const tag = element.name.toUpperCase();
		return attributes.map((attribute) => ({ tag, isShadow: false, selector, attribute }));
	});
	return Object.fromEntries(columns.map((column, index) => [`Label ${index + 1}`, column]));
}

const leavesOf = (item: Cheerio<Element>): Element[] =>
	item
		.find('*')
		.toArray()
		.filter(({ children }) => children.every(({ type }) => type === 'text'));

function detectedPagination($: CheerioAPI): { type: string; selector: string } {
	if ($('a.next').length > 0) return { type: 'clickNext', selector: 'a.next' };
	if ($('button[data-next]').length > 0) {
		return { type: 'clickLoadMore', selector: 'button[data-next]' };
	}
	const isEndless = $('[data-endless]').length > 0;
	return { type: isEndless ? 'scrollDown' : 'none', selector: '' };
}
