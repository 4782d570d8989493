import { z } from 'zod';
import { locator } from '../../helpers/parameters.mts';
import type { Exchange } from '../../helpers/recordings.mts';
import type { Replay } from './replay.mts';
import {
	agent,
	answerOf,
	created,
	getAll,
	idsIn,
	idsOf,
	metaOf,
	noRuns,
	PAGE,
	rawRun,
	robotOf,
	RULE,
	run,
	start,
	update,
} from './replay-setups.mts';

const record = z.record(z.unknown());

const ROUTES: Array<{ method: string; route: RegExp; setup(exchange: Exchange): Replay }> = [
	{
		method: 'GET',
		route: /^\/api\/sdk\/status$/,
		setup: ({ status, answer }) => ({
			resource: 'account',
			operation: 'get',
			parameters: {},
			...(status === 200 && { fields: JSON.parse(JSON.stringify(answer)) }),
		}),
	},
	{
		method: 'GET',
		route: /^\/api\/sdk\/robots$/,
		setup: (exchange) => ({
			...getAll,
			ids: z
				.array(z.unknown())
				.parse(answerOf(exchange).data)
				.map((stored) => String(metaOf(stored).id)),
		}),
	},
	{
		method: 'GET',
		route: /^\/api\/robots(\?.*)?$/,
		setup: (exchange) => ({
			...getAll,
			sdk: 'none',
			...(exchange.status === 200 && {
				ids: idsOf(record.catch({}).parse(answerOf(exchange).robots).items, 'id'),
			}),
		}),
	},
	{
		method: 'GET',
		route: /^\/api\/sdk\/robots\/[^/]+$/,
		setup: (exchange) => robotOf(exchange, metaOf(answerOf(exchange).data)),
	},
	{
		method: 'GET',
		route: /^\/api\/robots\/[^/]+$/,
		setup: (exchange) => ({
			...robotOf(exchange, record.catch({}).parse(answerOf(exchange).robot)),
			sdk: 'none',
		}),
	},
	{ method: 'PUT', route: /^\/api\/sdk\/robots\/[^/]+$/, setup: update },
	{
		method: 'DELETE',
		route: /^\/api\/sdk\/robots\/[^/]+$/,
		setup: ({ path, status }) => ({
			resource: 'robot',
			operation: 'delete',
			parameters: { robotId: locator(idsIn(path).robot) },
			before: [noRuns(path)],
			...(status === 200 && { fields: { deleted: true } }),
		}),
	},
	{
		method: 'POST',
		route: /^\/api\/sdk\/robots$/,
		setup: (exchange) =>
			created(exchange, 'robot', 'createScrape', { url: PAGE, formats: ['text'] }),
	},
	{
		method: 'POST',
		route: /^\/api\/sdk\/crawl$/,
		setup: (exchange) => created(exchange, 'robot', 'createCrawl', { url: PAGE, crawlConfig: {} }),
	},
	{
		method: 'POST',
		route: /^\/api\/sdk\/search$/,
		setup: (exchange) =>
			created(exchange, 'robot', 'createSearch', { query: 'desk', searchConfig: {} }),
	},
	{
		method: 'POST',
		route: /^\/api\/sdk\/extract\/llm$/,
		setup: agent,
	},
	{
		method: 'POST',
		route: /^\/api\/robots\/[^/]+\/duplicate$/,
		setup: (exchange) => ({
			resource: 'robot',
			operation: 'duplicate',
			parameters: { robotId: locator(idsIn(exchange.path).robot), url: PAGE },
			...(exchange.status === 201 && {
				ids: [String(record.parse(answerOf(exchange).robot).id)],
			}),
		}),
	},
	{
		method: 'GET',
		route: /^\/api\/robots\/[^/]+\/runs$/,
		setup: (exchange) => ({
			resource: 'run',
			operation: 'getAll',
			parameters: { robotId: locator(idsIn(exchange.path).robot), returnAll: true },
			...(exchange.status === 200 && {
				ids: idsOf(record.parse(answerOf(exchange).runs).items, 'runId'),
			}),
		}),
	},
	{ method: 'GET', route: /^\/api\/robots\/[^/]+\/runs\/[^/]+$/, setup: run },
	{ method: 'GET', route: /^\/api\/sdk\/robots\/[^/]+\/runs\/[^/]+$/, setup: rawRun },
	{ method: 'POST', route: /^\/api\/robots\/[^/]+\/runs$/, setup: start },
	{
		method: 'POST',
		route: /\/abort$/,
		setup: ({ path, status }) => ({
			resource: 'run',
			operation: 'cancel',
			parameters: { robotId: locator(idsIn(path).robot), runId: locator(idsIn(path).run) },
			before: [
				{
					method: 'GET',
					path: path.replace(/\/abort$/, ''),
					status: 200,
					answer: { data: { status: 'running', log: 'Converting page to: markdown' } },
				},
			],
			...(status === 200 && { ids: [idsIn(path).run], fields: { canceled: true } }),
		}),
	},
	{
		method: 'GET',
		route: /\/schedule$/,
		setup: ({ path }) => ({
			resource: 'schedule',
			operation: 'get',
			parameters: { robotId: locator(idsIn(path).robot) },
			sdk: 'none',
		}),
	},
	{
		method: 'POST',
		route: /\/schedule$/,
		setup: ({ path }) => ({
			resource: 'schedule',
			operation: 'upsert',
			parameters: { robotId: locator(idsIn(path).robot), ...RULE },
			sdk: 'none',
		}),
	},
];

/** How to replay a recording. @throws Error if its route is new */
export function setupOf(exchange: Exchange): Replay {
	const path = exchange.path.replace(/\?.*$/, '');
	const found = ROUTES.find(({ method, route }) => method === exchange.method && route.test(path));
	if (found === undefined) throw new Error(`Nothing replays ${exchange.method} ${path}`);
	return found.setup(exchange);
}
