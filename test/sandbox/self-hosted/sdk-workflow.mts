import { type Cheerio, load } from 'cheerio';
import type { AnyNode } from 'domhandler';
import { z } from 'zod';
import type { Recipe, Robot } from '../model.mts';

const MOST_ROWS = 100;

const action = z
	.object({
		action: z.string(),
		name: z.string().optional(),
		args: z.array(z.unknown()).optional(),
	})
	.passthrough();
const pair = z
	.object({
		where: z.object({ url: z.string().optional() }).passthrough().optional(),
		what: z.array(action),
	})
	.passthrough();
const workflowSchema = z.array(pair);

const field = z.object({ selector: z.string(), attribute: z.string().optional() }).passthrough();
const fieldsArgument = z.record(field);
const listArgument = z
	.object({
		itemSelector: z.string().optional(),
		listSelector: z.string().optional(),
		fields: z.record(field).optional(),
		maxItems: z.number().optional(),
		limit: z.number().optional(),
	})
	.passthrough();

/** What a recorded workflow captures, before it was tried on its page. */
export interface Recording {
	url: string | undefined;
	fields: Record<string, string>;
	list: {
		name: string;
		row: string;
		fields: Record<string, string> | undefined;
		limit: number;
	} | null;
}

/** The steps to open a page. */
export const visit = (url: string) => ({
	where: { url: 'about:blank' },
	what: [
		{ action: 'goto', args: [url] },
		{ action: 'waitForLoadState', args: ['networkidle'] },
	],
});

/** The workflow of a robot, as stored or as the server would have recorded it. */
export function workflowOf(robot: Robot): unknown[] {
	const { stored, type, url, recipe, crawlConfig, searchConfig } = robot;
	if (stored.workflow !== null) return stored.workflow;
	if (type === 'search') {
		const args = [{ ...searchConfig, provider: 'duckduckgo' }];
		return [{ where: { url: 'about:blank' }, what: [{ action: 'search', name: 'Search', args }] }];
	}
	if (url === null || type === 'scrape') return [];
	if (type === 'crawl') {
		return [
			{ where: { url }, what: [{ action: 'crawl', name: 'Crawl', args: [crawlConfig] }] },
			visit(url),
		];
	}
	return recipe === null ? [] : [{ where: { url }, what: stepsOf(recipe) }, visit(url)];
}

function stepsOf({ fields, list }: Recipe): unknown[] {
	const schema = { action: 'scrapeSchema', name: 'Page info', args: [selectors(fields ?? {})] };
	const steps = fields === null ? [] : [schema];
	if (list === null) return steps;
	const { name, row, limit = MOST_ROWS } = list;
	const args = [{ fields: selectors(list.fields), listSelector: row, limit }];
	return [...steps, { action: 'scrapeList', name, args }];
}

function selectors(fields: Record<string, string>): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(fields).map(([label, path]) => {
			const [selector = '', attribute = 'innerText'] = path.split('@');
			return [label, { selector, attribute }];
		}),
	);
}

/** Reads a workflow. @returns undefined if it is not one */
export function readWorkflow(workflow: unknown): Recording | undefined {
	const { success, data } = workflowSchema.safeParse(workflow);
	if (!success) return undefined;
	const recording: Recording = { url: undefined, fields: {}, list: null };
	for (const { where, what } of data) {
		if (where?.url?.startsWith('http')) recording.url ??= where.url;
		for (const step of what) addStep(recording, step);
	}
	return recording;
}

function addStep(
	recording: Recording,
	{ action: kind, name, args = [] }: z.infer<typeof action>,
): void {
	if (kind === 'scrapeSchema')
		Object.assign(recording.fields, pathsOf(fieldsArgument.safeParse(args[0]).data));
	if (kind !== 'scrapeList') return;
	const list = listArgument.safeParse(args[0]).data;
	recording.list = {
		name: name ?? 'List 1',
		row: list?.itemSelector ?? list?.listSelector ?? '',
		fields: list?.fields && pathsOf(list.fields),
		limit: list?.maxItems ?? list?.limit ?? MOST_ROWS,
	};
}

function pathsOf(fields: Record<string, z.infer<typeof field>> = {}): Record<string, string> {
	return Object.fromEntries(
		Object.entries(fields).map(([label, { selector, attribute = 'innerText' }]) => {
			const suffix = attribute === 'innerText' ? '' : `@${attribute}`;
			return [label, selector + suffix];
		}),
	);
}

/** Tries a recording on its page. @returns what the robot captures, and why parts don't work */
export function tryRecording(
	{ fields, list }: Recording,
	html: string,
): { recipe: Recipe; errors: string[] } {
	const $ = load(html);
	const errors = Object.entries(fields)
		.filter(([, path]) => $(path.split('@')[0] ?? '').length === 0)
		.map(([label, path]) => `Field "${label}": Selector "${path}" did not match any elements`);
	const first = list === null || list.row === '' ? undefined : $(list.row).first();
	if (list !== null && !first?.length)
		errors.push('Selector did not match any elements on the page');
	const rows = list?.fields ?? (first === undefined ? {} : labelled(first));
	const recipe = {
		fields: Object.keys(fields).length > 0 ? fields : null,
		list: list && { name: list.name, row: list.row, fields: rows, limit: list.limit },
	};
	return { recipe, errors };
}

/** The texts and links in a row, with the labels of a server without a language model. */
function labelled(row: Cheerio<AnyNode>): Record<string, string> {
	const paths = row
		.find('*')
		.toArray()
		.filter((element) => element.children.every(({ type }) => type === 'text'))
		.flatMap((element) => {
			const name = element.attribs.class?.split(/\s+/)[0];
			const selector = name ? `${element.name}.${name}` : element.name;
			return element.attribs.href === undefined ? [selector] : [selector, `${selector}@href`];
		});
	return Object.fromEntries([...new Set(paths)].map((path, index) => [`Label ${index + 1}`, path]));
}

/** The workflow with another page to open. */
export function atUrl(workflow: unknown[], url: string): unknown[] {
	const from = workflowSchema.safeParse(workflow).data;
	return (
		from?.map((step) => ({
			...step,
			what: step.what.map((entry) => (entry.action === 'goto' ? { ...entry, args: [url] } : entry)),
		})) ?? workflow
	);
}
