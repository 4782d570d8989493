import type { Exchange } from '../../helpers/recordings.mts';
import type { Replay } from './replay.mts';
import {
	agent,
	answerOf,
	created,
	fieldsOf,
	getAll,
	idsIn,
	idsOf,
	metaOf,
	noRuns,
	PAGE,
	rawRun,
	replayOf,
	robotOf,
	RULE,
	run,
	start,
	update,
} from './replay-setups.mts';

/** How to replay a recording, by its route. `{id}` stands for an ID. */
const ROUTES: Record<string, (exchange: Exchange) => Replay> = {
	'GET /api/sdk/status': ({ status, answer }) => ({
		resource: 'account',
		operation: 'get',
		parameters: {},
		...(status === 200 && { fields: JSON.parse(JSON.stringify(answer)) }),
	}),
	'GET /api/sdk/robots': (exchange) => ({
		...getAll,
		ids: [answerOf(exchange).data].flat().map((stored) => String(metaOf(stored).id)),
	}),
	'GET /api/robots': (exchange) => ({
		...getAll,
		sdk: 'none',
		...(exchange.status === 200 && {
			ids: idsOf(fieldsOf(answerOf(exchange).robots).items, 'id'),
		}),
	}),
	'GET /api/sdk/robots/{id}': (exchange) => robotOf(exchange, metaOf(answerOf(exchange).data)),
	'GET /api/robots/{id}': (exchange) => ({
		...robotOf(exchange, fieldsOf(answerOf(exchange).robot)),
		sdk: 'none',
	}),
	'PUT /api/sdk/robots/{id}': update,
	'DELETE /api/sdk/robots/{id}': ({ path, status }) => ({
		...replayOf('robot', 'delete', path),
		before: [noRuns(path)],
		...(status === 200 && { fields: { deleted: true } }),
	}),
	'POST /api/sdk/robots': (exchange) =>
		created(exchange, 'robot', 'createScrape', { url: PAGE, formats: ['text'] }),
	'POST /api/sdk/crawl': (exchange) =>
		created(exchange, 'robot', 'createCrawl', { url: PAGE, crawlConfig: {} }),
	'POST /api/sdk/search': (exchange) =>
		created(exchange, 'robot', 'createSearch', { query: 'desk', searchConfig: {} }),
	'POST /api/sdk/extract/llm': agent,
	'POST /api/robots/{id}/duplicate': (exchange) => ({
		...replayOf('robot', 'duplicate', exchange.path, { url: PAGE }),
		...(exchange.status === 201 && { ids: [String(fieldsOf(answerOf(exchange).robot).id)] }),
	}),
	'GET /api/robots/{id}/runs': (exchange) => ({
		...replayOf('run', 'getAll', exchange.path, { returnAll: true }),
		...(exchange.status === 200 && {
			ids: idsOf(fieldsOf(answerOf(exchange).runs).items, 'runId'),
		}),
	}),
	'GET /api/robots/{id}/runs/{id}': run,
	'GET /api/sdk/robots/{id}/runs/{id}': rawRun,
	'POST /api/robots/{id}/runs': start,
	'POST /api/sdk/robots/{id}/runs/{id}/abort': ({ path, status }) => ({
		...replayOf('run', 'cancel', path),
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
	'GET /api/robots/{id}/schedule': ({ path }) => ({
		...replayOf('schedule', 'get', path),
		sdk: 'none',
	}),
	'POST /api/robots/{id}/schedule': ({ path }) => ({
		...replayOf('schedule', 'upsert', path, RULE),
		sdk: 'none',
	}),
};

/** @throws Error if the recording's route is new */
export function setupOf(exchange: Exchange): Replay {
	const asked = `${exchange.method} ${exchange.path.replace(/\?.*$/, '')}`;
	const isRoute = (route: string) =>
		new RegExp(`^${route.replaceAll('{id}', '[^/]+')}$`).test(asked);
	const [, replay] = Object.entries(ROUTES).find(([route]) => isRoute(route)) ?? [];
	if (replay === undefined) throw new Error(`Nothing replays ${asked}`);
	return replay(exchange);
}
