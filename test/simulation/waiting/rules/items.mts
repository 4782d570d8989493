import type { INodeExecutionData } from 'n8n-workflow';
import { isErrorItem, pairOf, parentsOf, type Visit } from '../view.mts';
import { isTemporary } from '../history.mts';
import { forEach, forEachVisit, type Rule } from './rule.mts';

/** Each input item has results: exactly one, unless the operation returns rows. Each output keeps the order. */
export const everyItemSettlesOnceInOrder: Rule = forEachVisit((visit, { stored }, { world }) => {
	if (stored.status !== 'success') return [];
	if (visit.entries.length !== 1) return [`the node has ${visit.entries.length} log entries`];
	const wrong = visit.input.flatMap((_, item) => {
		const { length } = visit.resultsOf(item);
		const mayBeEmpty = visit.wanted.some(
			(wanted) => wanted.item === item && world.maxun.plans.get(wanted.key)?.rows === 0,
		);
		return isRightNumber(length, visit, mayBeEmpty) ? [] : [`item ${item} has ${length} results`];
	});
	const total = visit.output.flat().length;
	const counted = visit.input.reduce((sum, _, item) => sum + visit.resultsOf(item).length, 0);
	return [
		...wrong,
		...visit.output.filter((items) => !isInOrder(items, visit)).map(() => 'an output has no order'),
		...(total === counted ? [] : [`${total - counted} results have no input item`]),
	];
});

/** @param mayBeEmpty whether a run of the item captures nothing */
function isRightNumber(length: number, { plan }: Visit, mayBeEmpty: boolean): boolean {
	if (plan.operation === 'run and wait' || plan.operation === 'run agent') return length === 1;
	return length > 0 || mayBeEmpty || plan.skipsRead || (isTemporary(plan) && plan.skipsPages);
}

/** Whether results are in the order of the input items and their pages. */
function isInOrder(items: INodeExecutionData[], { wanted }: Visit): boolean {
	const pages = items
		.filter((result) => !isErrorItem(result))
		.map((result) => wanted.findIndex(({ key }) => key === keysIn(result)[0]))
		.filter((page) => page >= 0);
	return isAscending(items.map((result) => pairOf(result) ?? 0)) && isAscending(pages);
}

const isAscending = (numbers: number[]) =>
	numbers.every((number, index) => index === 0 || number >= (numbers[index - 1] ?? 0));

/** A result contains the data of its own item's runs. */
export const resultsBelongToTheirItems: Rule = forEachVisit((visit) =>
	visit.input.flatMap((_, item) => {
		const own = visit.wanted.filter((wanted) => wanted.item === item).map(({ key }) => key);
		return visit.resultsOf(item).flatMap((result) => {
			if (isErrorItem(result)) return [];
			const others = keysIn(result).filter((key) => !own.includes(key));
			return others.length > 0
				? [`a result of ${own.join()} contains data of ${others.join()}`]
				: [];
		});
	}),
);

/** The keys of all runs whose data a result contains. */
const keysIn = ({ json }: INodeExecutionData): string[] =>
	JSON.stringify(json).match(/\be\d+i\d+(p\d+)?\b|\b(scheduled|foreign|occupied)\b/g) ?? [];

/** Later nodes get all data, in every way that n8n offers. */
export const laterNodesGetAllData: Rule = forEach((waiter) => {
	const [output = []] = waiter.output();
	const hasReader = waiter.plan.parent === 'none' && waiter.plan.shape !== 'loop';
	if (waiter.stored.status !== 'success' || !hasReader || output.length === 0) return [];
	const [readings = [], ...others] = waiter.output('Reader');
	const entries = waiter.entries('Reader').length;
	if (entries !== 1 || others.length > 0) return [`the next node ran ${entries} times`];
	const all = output.map(({ json }) => json);
	const expected = all.map((json) => ({ json, item: json, all, first: all[0] }));
	return ['json', 'item', 'all', 'first'].flatMap((way) => {
		const read = readings.map((reading) => reading.json[way]);
		const wanted = expected.map((reading) => Reflect.get(reading, way));
		return JSON.stringify(read) === JSON.stringify(wanted) ? [] : [`${way} reads other data`];
	});
});

/** A parent gets the results of all items from its sub-workflows. */
export const parentsGetAllResults: Rule = (played) =>
	parentsOf(played).flatMap(({ plan, stored, children }) => {
		const waiters = played.waiters.filter(({ stored: child }) => child.workflowId === children);
		if (stored.status !== 'success' || plan.shape !== 'single') return [];
		const results = stored.data;
		return waiters.flatMap((waiter) =>
			waiter
				.output()
				.flat()
				.flatMap(keysIn)
				.filter((key) => !results.includes(key))
				.slice(0, 1)
				.map((key) => `the parent of ${waiter.name} lacks the results of ${key} (${plan.parent})`),
		);
	});

/** Only n8n's timer resumes a Wait node. */
export const waitNodesAreLeftAlone: Rule = forEach((waiter) =>
	JSON.stringify(waiter.output('Wait')).includes('resumedBy')
		? ['a call resumed the Wait node']
		: [],
);

/** An execution doesn't pause while somebody is waiting for its output, because n8n would respond at once. */
export const callersGetTheOutput: Rule = forEach(({ plan, hasPaused }) =>
	plan.caller !== 'nobody' && !plan.waitNode && hasPaused
		? [`it paused although a caller waits (${plan.caller})`]
		: [],
);
