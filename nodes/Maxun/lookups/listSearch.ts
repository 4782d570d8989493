import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { MaxunFault } from '../http/fault';
import { Webhook, type Run } from '../servers/entities';
import type { MaxunServer, Page } from '../servers/types';
import { lookUp, robotItem } from './context';
import { robotIn } from './robotData';

type Search = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** The search text, and the offset to start at. */
interface Question {
	context: ILoadOptionsFunctions;
	filter: string;
	offset: number;
}

const search = (
	find: (maxun: MaxunServer, question: Question) => Promise<INodeListSearchResult>,
): Search =>
	async function (filter = '', paginationToken = '0') {
		const question = { context: this, filter, offset: Number(paginationToken) };
		return await lookUp(this, async (maxun) => await find(maxun, question));
	};

const matches = (filter: string) => (entry: INodeListSearchItems) =>
	entry.name.toLowerCase().includes(filter.toLowerCase());

const resultOf = <T>(
	{ entries, nextOffset }: Page<T>,
	toItem: (entry: T) => INodeListSearchItems,
): INodeListSearchResult => ({
	results: entries.map(toItem),
	paginationToken: nextOffset === undefined ? undefined : String(nextOffset),
});

const runItem = ({ id, robotName, status, startedAt }: Run) => ({
	name: [robotName, status, startedAt].filter(Boolean).join(', '),
	value: id,
});

const searchRobots = search(async ({ robots }, { filter, offset }) =>
	resultOf(await robots.page(filter, offset), robotItem),
);

const searchAgents = search(async ({ robots }, { filter, offset }) =>
	resultOf(await robots.page(filter, offset, 'agent'), robotItem),
);

/** Maximum number of runs to read for one search. */
const MOST_SEARCHED = 1000;

const searchRuns = search(async (maxun, { context, filter, offset }) => {
	const robotId = (await robotIn(context, maxun)) || undefined;
	// Maxun can't search runs. If a page contains no match, the next one is read.
	for (let from = offset; ; ) {
		const page = await maxun.runs.page(robotId, from);
		const { results, paginationToken } = resultOf(page, runItem);
		const found = results.filter(matches(filter));
		const isEnd = page.nextOffset === undefined || page.nextOffset - offset > MOST_SEARCHED;
		if (found.length > 0 || isEnd) return { results: found, paginationToken };
		from = page.nextOffset ?? 0;
	}
});

const searchWebhooks = search(async (maxun, { context, filter }) => {
	const robotId = await robotIn(context, maxun);
	if (!robotId) throw new MaxunFault('No robot selected', 'Select a robot first');
	const listed = (await maxun.webhooks.list(robotId)).map((webhook) => Webhook.parse(webhook));
	const results = listed.map(({ id, url, active }) => ({
		name: active === false ? `${url} (paused)` : url,
		value: id,
	}));
	return { results: results.filter(matches(filter)) };
});

const searchTeams = search(async (maxun, { filter }) => {
	// Ignores the selected team, because the key may not have access to it.
	const { account } = maxun.with({ teamId: undefined });
	const { teams } = (await account?.get()) ?? { teams: [] };
	const results = teams.map(({ id, name, role }) => ({
		name: role ? `${name} (${role})` : name,
		value: id,
	}));
	return { results: results.filter(matches(filter)) };
});

export const listSearch = { searchAgents, searchRobots, searchRuns, searchTeams, searchWebhooks };
