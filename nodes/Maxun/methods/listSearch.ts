import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { Me, type Robot, type Run } from '../api/entities';
import { MaxunFault } from '../api/fault';
import { definedFields } from '../api/request';
import { getRobots, Robots } from '../api/robots';
import { listRuns, Runs } from '../api/runs';
import { newestFirst } from '../api/selfHosted';
import { getRunsOf } from '../api/selfHosted/requests';
import { dialectOf, type Dialect } from '../api/service';
import { getWebhooks, Webhooks } from '../api/webhooks';
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
		return await connect(this, dialectChosen(this))
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

/** How many runs are looked through for one search. */
const MOST_LOOKED_THROUGH = 1000;

const holds = (filter: string) => (entry: INodeListSearchItems) =>
	entry.name.toLowerCase().includes(filter.toLowerCase());

/** The parameter of the node that a list depends on; empty where nothing is chosen or there is no such field. */
export function chosen(context: ILoadOptionsFunctions, name: string): string {
	// Of a field that is not shown, n8n cannot tell the value.
	if (context.getCurrentNodeParameter(name) === undefined) return '';
	const value = context.getCurrentNodeParameter(name, { extractValue: true });
	return typeof value === 'string' ? value : '';
}

/** @param entries what is listed of the robot */
function chosenRobot(context: ILoadOptionsFunctions, entries: string): string {
	const robotId = chosen(context, 'robotId');
	if (robotId) return robotId;
	throw new MaxunFault(
		'No robot is chosen',
		`Choose the robot first: its ${entries} are listed then`,
	);
}

/** The kind of server that the node is set to. */
export const dialectChosen = (context: ILoadOptionsFunctions) =>
	dialectOf(context.getCurrentNodeParameter('server'));

/** The team whose entries are listed, where the node is set to one. */
export const teamOf = (context: ILoadOptionsFunctions) => ({
	teamId: chosen(context, 'options.teamId') || undefined,
});

/** How a robot is shown in a list, e.g. `Prices (scrape, ready)`. */
export function labelOf({ name, type, status }: Robot): string {
	const details = [type, status].filter(Boolean).join(', ');
	return details ? `${name} (${details})` : name;
}

const searchRobots = search(
	async (context, connection, filter, offset) =>
		await directories[connection.dialect].robots({ context, connection, filter, offset }),
);

const searchAgents = search(async (context, connection, filter, offset) => {
	const query = definedFields({ type: 'agent', q: filter, limit: PAGE_SIZE, offset });
	const agents = await connection.send({ ...getRobots, query }, Robots, teamOf(context));
	return page(agents, agents.map(robotEntry), offset);
});

const searchRuns = search(
	async (context, connection, filter, offset) =>
		await directories[connection.dialect].runs({ context, connection, filter, offset }),
);

/** What is asked for: a page of a list, narrowed by a text. */
interface Question {
	context: ILoadOptionsFunctions;
	connection: Connection;
	filter: string;
	offset: number;
}

type Look = (question: Question) => Promise<INodeListSearchResult>;

/** How robots and runs are found: the cloud searches and gives pages, a self-hosted server gives all there is. */
const directories: Record<Dialect, { robots: Look; runs: Look }> = {
	cloud: {
		async robots({ context, connection, filter, offset }) {
			const query = definedFields({ q: filter, limit: PAGE_SIZE, offset });
			const robots = await connection.send({ ...getRobots, query }, Robots, teamOf(context));
			return page(robots, robots.map(robotEntry), offset);
		},
		async runs({ context, connection, filter, offset }) {
			// The service cannot search in runs: a page in which nothing fits is no reason to show an empty list.
			for (let from = offset; ; from += PAGE_SIZE) {
				const request = listRuns(undefined, { limit: PAGE_SIZE, offset: from });
				const runs = await connection.send(request, Runs, teamOf(context));
				const found = page(runs, runs.map(runEntry).filter(holds(filter)), from);
				const isEnd = !found.paginationToken || from - offset >= MOST_LOOKED_THROUGH;
				if (found.results.length > 0 || isEnd) return found;
			}
		},
	},
	selfHosted: {
		async robots({ connection, filter }) {
			const robots = newestFirst(await connection.send(getRobots, Robots), 'createdAt');
			return { results: robots.map(robotEntry).filter(holds(filter)) };
		},
		async runs({ context, connection, filter }) {
			const robotId = chosenRobot(context, 'runs');
			const runs = newestFirst(await connection.send(getRunsOf(robotId), Runs), 'startedAt');
			return { results: runs.map(runEntry).filter(holds(filter)) };
		},
	},
};

const robotEntry = (robot: Robot) => ({ name: labelOf(robot), value: robot.id });

const runEntry = ({ id, robotName, status, startedAt }: Run) => ({
	name: [robotName, status, startedAt].filter(Boolean).join(', '),
	value: id,
});

const searchWebhooks = search(async (context, connection, filter) => {
	const robotId = chosenRobot(context, 'webhooks');
	const webhooks = await connection.send(getWebhooks(robotId), Webhooks, teamOf(context));
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
