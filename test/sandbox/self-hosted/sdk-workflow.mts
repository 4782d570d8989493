import { z } from 'zod';
import type { Recipe, Robot } from '../model.mts';

const MOST_ROWS = 100;

const action = z
	.object({
		action: z.string(),
		name: z.string().optional(),
		args: z.array(z.unknown()).catch([]),
	})
	.passthrough();
const pair = z
	.object({
		where: z.object({ url: z.string().optional() }).passthrough().optional(),
		what: z.array(action),
	})
	.passthrough();
const workflowSchema = z.array(pair);

export type Action = z.infer<typeof action>;

export const visit = (url: string) => ({
	where: { url: 'about:blank' },
	what: [
		{ action: 'goto', args: [url] },
		{ action: 'waitForLoadState', args: ['networkidle'] },
	],
});

/** A robot's workflow, as stored or as the server would have recorded it. */
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

export function stepsOf({ fields, list }: Recipe): unknown[] {
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

export const pairsOf = (workflow: unknown) => workflowSchema.safeParse(workflow).data;

/** A workflow as the server's database returns it: fields with shorter names come first. */
export function reordered(workflow: unknown[]): unknown[] {
	return workflow.map(inOrder);
}

function inOrder(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(inOrder);
	if (typeof value !== 'object' || value === null) return value;
	const byLength = ([a]: [string, unknown], [b]: [string, unknown]) =>
		a.length - b.length || (a < b ? -1 : 1);
	const entries = Object.entries(value).sort(byLength);
	return Object.fromEntries(entries.map(([name, inner]) => [name, inOrder(inner)]));
}

/** The workflow with another page wherever it opens a page, as after the robot's URL was changed. */
export const atUrl = (workflow: unknown[], url: string): unknown[] =>
	withVisits(workflow, () => url);

/** A copy's workflow. A real server only changes the first page. */
export function entryAtUrl(workflow: unknown[], url: string): unknown[] {
	const entry = pairsOf(workflow)
		?.filter(({ where }) => where?.url === 'about:blank')
		.at(-1)
		?.what.find((step) => step.action === 'goto')?.args[0];
	let isChanged = false;
	const reversed = withVisits([...workflow].reverse(), (visited) => {
		if (isChanged || visited !== entry) return visited;
		isChanged = true;
		return url;
	});
	return reversed.reverse();
}

function withVisits(workflow: unknown[], change: (visited: unknown) => unknown): unknown[] {
	const visit = (entry: Action) =>
		entry.action === 'goto' ? { ...entry, args: [change(entry.args[0])] } : entry;
	const from = pairsOf(workflow);
	return from?.map((step) => ({ ...step, what: step.what.map(visit) })) ?? workflow;
}
