import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { listOf, Me, Robot, Run, Webhook } from '../api/entities';
import { MaxunFault } from '../api/fault';
import { definedFields, path } from '../api/request';
import { toNodeError } from '../core/errors';
import { PAGE_SIZE } from '../core/paging';
import { connect, type Connection } from '../core/transport';

type Search = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** A search whose faults are shown in the list: it never shows an empty one instead. */
const search = (
	find: (
		context: ILoadOptionsFunctions,
		connection: Connection,
		filter: string,
		offset: number,
	) => Promise<INodeListSearchResult>,
): Search =>
	async function (filter = '', paginationToken = '0') {
		return await connect(this)
			.then(async (connection) => await find(this, connection, filter, Number(paginationToken)))
			.catch((error: unknown) => {
				throw toNodeError(this.getNode(), error, 0);
			});
	};

/** A page of entries, with the token of the next one where there may be more. */
function page(
	entries: unknown[],
	results: INodeListSearchItems[],
	offset: number,
): INodeListSearchResult {
	const isLast = entries.length < PAGE_SIZE;
	return { results, paginationToken: isLast ? undefined : String(offset + PAGE_SIZE) };
}

const holds = (filter: string) => (entry: INodeListSearchItems) =>
	entry.name.toLowerCase().includes(filter.toLowerCase());

/** The parameter of the node that a list depends on. */
export function chosen(context: ILoadOptionsFunctions, name: string): string {
	const value = context.getCurrentNodeParameter(name, { extractValue: true });
	return typeof value === 'string' ? value : '';
}

/** The team whose entries are listed, where the node is set to one. */
export const teamOf = (context: ILoadOptionsFunctions) => ({
	teamId: chosen(context, 'options.teamId') || undefined,
});

/** How a robot is shown in a list, e.g. `Prices (scrape, ready)`. */
export function labelOf({ name, type, status }: Robot): string {
	const details = [type, status].filter(Boolean).join(', ');
	return details ? `${name} (${details})` : name;
}

const searchRobots = search(async (context, connection, filter, offset) => {
	const query = definedFields({ q: filter, limit: PAGE_SIZE, offset });
	const request = { method: 'GET' as const, path: '/robots', query };
	const robots = await connection.send(request, listOf(Robot), teamOf(context));
	return page(
		robots,
		robots.map((robot) => ({ name: labelOf(robot), value: robot.id })),
		offset,
	);
});

const searchAgents = search(async (context, connection, filter, offset) => {
	const request = { method: 'GET' as const, path: '/agents', query: { limit: PAGE_SIZE, offset } };
	const agents = await connection.send(request, listOf(Robot), teamOf(context));
	const results = agents.map((agent) => ({ name: labelOf(agent), value: agent.id }));
	return page(agents, results.filter(holds(filter)), offset);
});

const searchRuns = search(async (context, connection, filter, offset) => {
	const query = { limit: PAGE_SIZE, offset };
	const runs = await connection.send(
		{ method: 'GET', path: '/runs', query },
		listOf(Run),
		teamOf(context),
	);
	const results = runs.map(({ id, robotName, status, startedAt }) => ({
		name: [robotName, status, startedAt].filter(Boolean).join(', '),
		value: id,
	}));
	return page(runs, results.filter(holds(filter)), offset);
});

const searchWebhooks = search(async (context, connection, filter) => {
	const robotId = chosen(context, 'robotId');
	if (!robotId)
		throw new MaxunFault(
			'No robot is chosen',
			'Choose the robot first: its webhooks are listed then',
		);
	const request = { method: 'GET' as const, path: path`/robots/${robotId}/webhooks` };
	const webhooks = await connection.send(request, listOf(Webhook), teamOf(context));
	const results = webhooks.map(({ id, url, active }) => ({
		name: active === false ? `${url} (paused)` : url,
		value: id,
	}));
	return { results: results.filter(holds(filter)) };
});

const searchTeams = search(async (_context, connection, filter) => {
	const { teams } = await connection.send({ method: 'GET', path: '/me' }, Me);
	const results = teams.map(({ id, name, role }) => ({
		name: role ? `${name} (${role})` : name,
		value: id,
	}));
	return { results: results.filter(holds(filter)) };
});

export const listSearch = { searchAgents, searchRobots, searchRuns, searchTeams, searchWebhooks };
