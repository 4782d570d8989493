import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod';
import { locator } from '../../helpers/parameters.mts';
import { recorded, type Exchange } from '../../helpers/recordings.mts';
import type { Replay } from './replay.mts';

/** An object's fields; none if the value isn't an object. */
const fieldsOf = (value: unknown) => z.record(z.unknown()).catch({}).parse(value);

const answerOf = ({ answer }: Exchange) => fieldsOf(answer);
const idsOf = (list: unknown, name: string) =>
	(Array.isArray(list) ? list : []).map((entry) => String(fieldsOf(entry)[name]));

function idsIn(path: string): { robot: string; run: string } {
	const [, robot = '', run = ''] = /\/robots\/([^/?]+)(?:\/runs\/([^/?]+))?/.exec(path) ?? [];
	return { robot, run };
}

/** An operation on the robot, and the run, in the path. */
function replayOf(
	resource: string,
	operation: string,
	path: string,
	more: INodeParameters = {},
): Replay {
	const { robot, run: id } = idsIn(path);
	const ids = { robotId: locator(robot), ...(id !== '' && { runId: locator(id) }) };
	return { resource, operation, parameters: { ...ids, ...more } };
}

/** A robot as stored, for operations that read it first. */
const storedAt = (path: string): Replay['before'] => [
	{ method: 'GET', path, status: 200, answer: { data: robotAt(path) } },
];

function robotAt(path: string) {
	const stored = fieldsOf(answerOf(recorded('a05-get')).data);
	return { ...stored, recording_meta: { ...metaOf(stored), id: idsIn(path).robot } };
}

const PAGE = 'http://127.0.0.1:8104/article';
const metaOf = (stored: unknown) => fieldsOf(fieldsOf(stored).recording_meta);

/** A start of an unknown robot. The node reads the robot's runs first, which says more than the server's 500. */
export const isStartOfNone = ({ method, path }: Exchange) =>
	method === 'POST' && path.endsWith('/00000000-0000-4000-8000-000000000000/runs');

const RULE = { runEvery: 1, runEveryUnit: 'DAYS', timezone: 'UTC' };
const getAll: Replay = {
	resource: 'robot',
	operation: 'getAll',
	parameters: { returnAll: true },
};

const noRuns = (path: string) => ({
	method: 'GET',
	path: `/api/robots/${idsIn(path).robot}/runs`,
	status: 200,
	answer: { statusCode: 200, messageCode: 'success', runs: { totalCount: 0, items: [] } },
});

function robotOf({ path, status }: Exchange, { id, name }: Record<string, unknown>): Replay {
	return {
		...replayOf('robot', 'get', path),
		...(status === 200 && { ids: [String(id)], fields: { name: String(name) } }),
	};
}

function update(exchange: Exchange): Replay {
	const { path, status } = exchange;
	const body = fieldsOf(exchange.body);
	const stored = fieldsOf(answerOf(exchange).data);
	if ('schedule' in body) {
		if (body.schedule === null) {
			return { ...replayOf('schedule', 'delete', path), fields: { deleted: true } };
		}
		const { cronExpression } = fieldsOf(stored.schedule);
		return {
			...replayOf('schedule', 'upsert', path, RULE),
			...(status === 200 && { fields: { cronExpression: String(cronExpression) } }),
		};
	}
	if ('webhooks' in body) return webhookDeletion(path);
	return {
		...replayOf('robot', 'update', path, { updateFields: { url: PAGE } }),
		before: storedAt(path),
		...(status === 200 && { ids: [String(metaOf(stored).id)] }),
	};
}

/** The deletion of a robot's only webhook. The node reads the list again after a change. */
function webhookDeletion(path: string): Replay {
	const id = 'hook';
	const read = (webhooks: object[]) => ({
		method: 'GET',
		path,
		status: 200,
		answer: { data: { ...robotAt(path), webhooks } },
	});
	return {
		...replayOf('webhook', 'delete', path, { webhookId: locator(id) }),
		before: [read([{ id, url: 'https://receiver.example.com/hook' }]), read([])],
		fields: { id, deleted: true },
	};
}

/** The creation of a robot. An existing robot causes an error, because it belongs to somebody else. */
function created(
	exchange: Exchange,
	resource: string,
	operation: string,
	parameters: INodeParameters,
): Replay {
	const { data } = answerOf(exchange);
	return {
		resource,
		operation,
		parameters: { ...parameters, additionalFields: { name: 'A' } },
		...(exchange.status === 201 && { ids: [String(metaOf(data).id)] }),
	};
}

function agent(exchange: Exchange): Replay {
	const { data } = answerOf(exchange);
	const id = String(fieldsOf(data).robotId);
	const additionalFields = { name: 'A', url: PAGE };
	return {
		resource: 'agent',
		operation: 'create',
		parameters: { prompt: 'Get products', waitUntilReady: false, additionalFields },
		...(exchange.status === 200 && { ids: [id] }),
	};
}

function run(exchange: Exchange): Replay {
	const { status } = fieldsOf(answerOf(exchange).run);
	const ids = [idsIn(exchange.path).run];
	return {
		...replayOf('run', 'get', exchange.path, { output: 'raw' }),
		...(exchange.status === 200 && { ids, fields: { status: String(status) } }),
	};
}

/** A run's record, which the node reads for a page. */
function rawRun(exchange: Exchange): Replay {
	const { robot, run: id } = idsIn(exchange.path);
	const empty = { textData: {}, listData: {}, crawlData: {}, searchData: {}, links: [] };
	const answer = {
		statusCode: 200,
		messageCode: 'success',
		run: {
			id: 'row',
			runId: id,
			robotId: robot,
			status: 'success',
			finishedAt: '11/21/2026, 7:31:59 PM',
			data: empty,
		},
	};
	const readable = [200, 404].includes(exchange.status);
	return {
		...replayOf('run', 'get', exchange.path, { output: 'raw' }),
		before: [{ method: 'GET', path: `/api/robots/${robot}/runs/${id}`, status: 200, answer }],
		...(readable && { ids: [id] }),
	};
}

/** A start. A rejected start has a run that failed, or needs a free browser and succeeds the second time. */
function start(exchange: Exchange): Replay {
	const { status, path } = exchange;
	const { robot } = idsIn(path);
	const success = recorded('run-scrape-ok');
	const base = replayOf('run', 'start', path, { options: { delayBeforeStart: 0 } });
	const { runId } = fieldsOf(answerOf(status === 200 ? exchange : success).run);
	if (status === 200) return { ...base, before: [noRuns(path)], ids: [String(runId)] };
	if (status !== 500 || isStartOfNone(exchange))
		return { ...base, before: status === 500 ? [] : [noRuns(path)] };
	return {
		...base,
		before: [noRuns(path), { ...noRuns(path), answer: withRun(robot, 'failed') }],
		ids: ['the-run'],
		fields: { status: 'failed' },
	};
}

const withRun = (robotId: string, status: string) => ({
	statusCode: 200,
	messageCode: 'success',
	runs: {
		totalCount: 1,
		items: [
			{
				id: 'row',
				runId: 'the-run',
				robotId,
				status,
				runByAPI: true,
				error: 'Why',
				startedAt: '11/21/2026, 7:31:51 PM',
				finishedAt: '11/21/2026, 7:31:59 PM',
			},
		],
	},
});

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
