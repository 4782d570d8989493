import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { MaxunFault } from '../http/fault';
import { Webhook, type Run } from '../servers/entities';
import type { MaxunServer, Page } from '../servers/types';
import { isOfUser, lookUp, robotIn, robotItem } from './context';

interface Question {
	context: ILoadOptionsFunctions;
	filter: string;
	offset: number;
}

const finder = (find: (maxun: MaxunServer, question: Question) => Promise<INodeListSearchResult>) =>
	async function (this: ILoadOptionsFunctions, filter = '', paginationToken = '0') {
		const question = { context: this, filter, offset: Number(paginationToken) };
		return await lookUp(this, async (maxun) => await find(maxun, question));
	};

const containing = (filter: string) => (entry: INodeListSearchItems) =>
	entry.name.toLowerCase().includes(filter.toLowerCase());

const runItem = ({ id, robotName, status, startedAt }: Run) => ({
	name: [robotName, status, startedAt].filter(Boolean).join(', '),
	value: id,
});

const MOST_SEARCHED = 1000;

async function searchPages<T>(
	read: (offset: number) => Promise<Page<T>>,
	offset: number,
	keep: (entry: T) => boolean,
	toItem: (entry: T) => INodeListSearchItems,
): Promise<INodeListSearchResult> {
	for (let from = offset; ; ) {
		const { entries, nextOffset } = await read(from);
		const results = entries.filter(keep).map(toItem);
		const isEnd = nextOffset === undefined || nextOffset - offset > MOST_SEARCHED;
		if (results.length > 0 || isEnd) return { results, paginationToken: nextOffset?.toString() };
		from = nextOffset;
	}
}

const robotSearch = (type?: 'agent') =>
	finder(async ({ robots }, { filter, offset }) => {
		const read = async (from: number) => await robots.page(filter, from, type);
		return await searchPages(read, offset, isOfUser, robotItem);
	});

const searchRobots = robotSearch();
const searchAgents = robotSearch('agent');

const searchRuns = finder(async (maxun, { context, filter, offset }) => {
	const robotId = (await robotIn(context, maxun)) || undefined;
	const read = async (from: number) => await maxun.runs.page(robotId, from);
	const isMatch = (run: Run) => containing(filter)(runItem(run)); // Maxun can't search runs.
	return await searchPages(read, offset, isMatch, runItem);
});

const searchWebhooks = finder(async (maxun, { context, filter }) => {
	const robotId = await robotIn(context, maxun);
	if (!robotId) throw new MaxunFault('No robot selected', 'Select a robot first');
	const listed = (await maxun.webhooks.list(robotId)).map((webhook) => Webhook.parse(webhook));
	const results = listed.map(({ id, url, active }) => ({
		name: active === false ? `${url} (paused)` : url,
		value: id,
	}));
	return { results: results.filter(containing(filter)) };
});

const searchTeams = finder(async (maxun, { filter }) => {
	// Ignores the selected team, because the key may not have access to it.
	const { account } = maxun.with({ teamId: undefined });
	const { teams } = await account.get();
	const results = teams.map(({ id, name, role }) => ({
		name: role ? `${name} (${role})` : name,
		value: id,
	}));
	return { results: results.filter(containing(filter)) };
});

export const listSearch = { searchAgents, searchRobots, searchRuns, searchTeams, searchWebhooks };
