import type { INodeExecutionData } from 'n8n-workflow';
import type { Run } from '../../maxun/service.mts';
import { kindOf } from '../../mishaps.mts';
import { isErrorItem, pairOf, parentsOf, succeeded, type Waiter } from '../view.mts';
import type { History } from '../history.mts';
import { forEach, type Rule } from './rule.mts';

/** Each input item has results, exactly one unless the operation returns rows, and each output keeps the order. */
export const everyItemSettlesOnceInOrder: Rule = forEach((waiter) => {
	if (waiter.stored.status !== 'success') return [];
	if (waiter.entries('Maxun').length !== 1) {
		return [`the node has ${waiter.entries('Maxun').length} log entries`];
	}
	const unordered = waiter
		.output()
		.map((items) => items.map(pairOf).join())
		.filter(
			(pairs) =>
				pairs !==
				pairs
					.split(',')
					.sort((a, b) => +a - +b)
					.join(),
		);
	const wrong = waiter.keys.flatMap((key, item) => {
		const { length } = waiter.resultsOf(item);
		return length === 1 || (length > 1 && waiter.isTemporary)
			? []
			: [`${key} has ${length} results`];
	});
	const total = waiter.output().flat().length;
	const counted = waiter.keys.reduce((sum, _, item) => sum + waiter.resultsOf(item).length, 0);
	return [
		...wrong,
		...unordered.map((pairs) => `the order of an output is ${pairs}`),
		...(total === counted ? [] : [`${total - counted} results have no input item`]),
	];
});

/** A result contains the data of its own item's run. */
export const resultsBelongToTheirItems: Rule = forEach((waiter) =>
	waiter.keys.flatMap((key, item) =>
		waiter.resultsOf(item).flatMap((result) => {
			if (isErrorItem(result)) return [];
			const others = foreignKeys(result, key);
			return others.length > 0 ? [`a result of ${key} contains data of ${others.join()}`] : [];
		}),
	),
);

function foreignKeys(result: INodeExecutionData, key: string): string[] {
	const found = JSON.stringify(result.json).match(/\be\d+i\d+\b|\bscheduled\b/g) ?? [];
	return found.filter((other) => other !== key);
}

/** A run that succeeds in time leads to its data, if nothing unusual happens. */
export const runsThatSucceedGiveTheirData: Rule = forEach((waiter, { history }) => {
	if (waiter.hadFaults || waiter.wasKilled || waiter.wasCancelled || history.events.length > 0) {
		return [];
	}
	// The node runs again after it has read the runs, and deleted its temporary robots.
	if (waiter.stored.wasOutdated) return [];
	const successful = waiter.keys.filter((key) => succeededInTime(waiter, key, history));
	// A failed item stops the whole node.
	const isAllowedToFail = successful.length < waiter.keys.length;
	if (waiter.stored.status === 'error' && isAllowedToFail) return [];
	return waiter.keys.flatMap((key, item) => {
		const results = waiter.resultsOf(item);
		const good = results.filter((result) => !isErrorItem(result) && result.json.timedOut !== true);
		return good.length > 0 || !successful.includes(key)
			? []
			: [`${key} has no data: ${whyFailed(waiter, results)}`];
	});
});

function succeededInTime(waiter: Waiter, key: string, { server, service }: History): boolean {
	const [run] = waiter.runsOf(key);
	if (!run || !succeeded(run) || !run.finishedAt) return false;
	const limit = begunAt(waiter, run) + waiter.waitForOf(key) * 60_000;
	return run.finishedAt + service.lag < limit - MARGIN[server];
}

/** The time includes the creation of a temporary robot, and refused starts. */
function begunAt(waiter: Waiter, run: Run): number {
	const refused = waiter.exchanges.find(
		({ request, response }) =>
			kindOf(request) === 'start' &&
			response?.status === 500 &&
			request.url.pathname.includes(`/${run.robotId}/`),
	);
	const created = waiter.isTemporary ? waiter.robotOf(run).createdAt : run.createdAt;
	return Math.min(refused?.sent ?? Infinity, created);
}

/** Milliseconds that requests take, and that a self-hosted server's start waits for its turn. */
const MARGIN = { cloud: 5_000, selfHosted: 70_000 };

const whyFailed = ({ data }: Waiter, results: INodeExecutionData[]) =>
	results[0] ? JSON.stringify(results[0].json) : (data.resultData.error?.message ?? 'no result');

/** Later nodes get all data, in every way that n8n has. */
export const laterNodesGetAllData: Rule = forEach((waiter) => {
	const [output = []] = waiter.output();
	const isLast = waiter.plan.parent !== 'none';
	if (waiter.stored.status !== 'success' || isLast || output.length === 0) return [];
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
		if (stored.status !== 'success') return [];
		const results = JSON.stringify(played.dataOf(stored).resultData.runData.Call?.at(-1)?.data);
		return waiters.flatMap((waiter) =>
			waiter
				.output()
				.flat()
				.map(({ json }) => JSON.stringify(json))
				.filter((json) => !results?.includes(json))
				.slice(0, 1)
				.map(() => `the parent of ${waiter.name} lacks results (${plan.parent})`),
		);
	});

/** Nobody but n8n's timer resumes a Wait node. */
export const waitNodesAreLeftAlone: Rule = forEach((waiter) =>
	JSON.stringify(waiter.output('Wait')).includes('resumedBy')
		? ['a delivery or a probe resumed the Wait node']
		: [],
);

/** An execution doesn't pause while somebody waits for its output, since n8n would respond at once. */
export const callersGetTheOutput: Rule = forEach(({ plan, stored }) =>
	plan.caller !== 'nobody' &&
	!plan.waitNode &&
	stored.trail.some(({ status }) => status === 'waiting')
		? [`it paused although a caller waits (${plan.caller})`]
		: [],
);
