import { dateOf } from '../clock.mts';
import type { Request, Response, Server } from '../network.mts';
import { SENDER } from '../origins.mts';
import { fieldsOf, router, textOf } from './router.mts';
import { capturedBy, movedTo } from './page.mts';
import { selfHostedServer } from './selfHosted.mts';
import { hasEnded, rowsOf, type Robot, type Run, type Service, type Webhook } from './service.mts';

const MOST_WEBHOOKS = 10;
const DEFAULT_LIMIT = 25;

/** Agents also have the routes of robots. */
const ANY = '/(?:robots|agents)';

/** Seconds to build an agent. */
const BUILDING = 70;

const ok = (data: unknown, status = 200): Response => ({ status, body: { success: true, data } });

const refuse = (status: number, error: string): Response => ({
	status,
	body: { success: false, error },
});

const NOT_FOUND = refuse(404, 'Not found');

/** Maxun Cloud with its API v1. */
export function cloudServer(service: Service): Server {
	const { robots, runs, clock, settings } = service;
	const { skew = 0 } = settings;

	const time = (at: number | undefined) =>
		at === undefined ? null : dateOf(at + skew).toISOString();

	const robotView = ({ id, name, type, createdAt, webhooks, schedule }: Robot) => {
		const isBuilding = type === 'agent' && clock.now < createdAt + BUILDING * 1000;
		const status = isBuilding ? 'creating' : 'ready';
		return {
			id,
			name,
			type,
			status,
			createdAt: time(createdAt),
			webhooks,
			schedule: schedule ?? null,
		};
	};

	const runView = ({ createdAt, startedAt, finishedAt, ...run }: Run) => ({
		id: run.id,
		robotId: run.robotId,
		robotName: run.robotName,
		source: run.source,
		status: run.status,
		...timesOf(startedAt, createdAt, finishedAt),
		error: run.status === 'failed' ? 'The page did not load' : null,
	});

	const timesOf = (started: number | undefined, created: number, finished: number | undefined) => {
		const { timeless } = settings;
		if (timeless === 'all') return { startedAt: null, finishedAt: null };
		const since = timeless === 'queued' ? started : (started ?? created);
		return { startedAt: time(since), finishedAt: time(finished) };
	};

	/** What `jsonOf` has returned. */
	const known = new WeakMap<Run, { status: Run['status']; json: string }>();

	/** A run as JSON. The list of active runs may be long, and is read often. */
	const jsonOf = (run: Run): string => {
		const { status } = run;
		const before = known.get(run);
		if (before?.status === status) return before.json;
		const json = JSON.stringify(runView(run));
		known.set(run, { status, json });
		return json;
	};

	const withData = (run: Run) => ({
		...runView(run),
		data: hasEnded(run) ? dataOf(run, service.past.robots.get(run.robotId)) : {},
		screenshots: [],
	});

	/** The odd entry that all lists contain, if any. */
	const oddEntries = (kind: 'run' | 'robot'): unknown[] => {
		const { odd } = settings;
		if (!odd) return [];
		if (odd === 'null') return [null];
		const strange = { id: `odd-${kind}`, name: 'odd', robotId: 'odd', robotName: 'odd' };
		return odd === 'null status'
			? [{ ...strange, type: 'scrape', status: null }]
			: [{ ...strange, status: 'running', type: null }];
	};

	/**
	 * A page. The odd entry comes first in the list. A page never has more entries than the limit. Converts only the
	 * page's entries, because a list may be long.
	 */
	const limited = <T,>(all: T[], view: (entry: T) => unknown, url: URL, kind: 'run' | 'robot') => {
		const limit = Number(url.searchParams.get('limit') ?? DEFAULT_LIMIT);
		const offset = Number(url.searchParams.get('offset') ?? 0);
		const odd = oddEntries(kind);
		const from = Math.max(0, offset - odd.length);
		const shown = all.slice(from, Math.max(0, offset + limit - odd.length)).map(view);
		return ok([...odd.slice(offset, offset + limit), ...shown]);
	};

	const isRefused = (page: string, key: string) =>
		service.refusedPages.has(key) || (page.includes('://') && !URL.canParse(page));

	const create = (type: string, { body, headers }: Request, workflow?: unknown[]): Response => {
		const { name, url, searchConfig, prompt } = fieldsOf(body);
		const wanted = textOf(name);
		const { mostRobots = Infinity } = settings;
		if (robots.size >= mostRobots) return refuse(403, 'Your plan allows no more robots');
		if ([...robots.values()].some((robot) => robot.name === wanted)) {
			return refuse(409, 'A robot with this name exists');
		}
		const page = textOf(url) ?? textOf(fieldsOf(searchConfig).query) ?? textOf(prompt) ?? '';
		const key = page.split('/').pop() ?? '';
		if (isRefused(page, key)) return refuse(400, 'This URL is not allowed');
		const robot = service.createRobot({
			type,
			name: wanted,
			key,
			creator: headers[SENDER],
			workflow,
		});
		return ok(robotView(robot), type === 'agent' ? 202 : 201);
	};

	const remove = (id = ''): Response => {
		if (!robots.has(id)) return NOT_FOUND;
		return service.deleteRobot(id) ? ok(null) : refuse(409, 'The robot has active runs');
	};

	const start = (id = '', { body, headers }: Request): Response => {
		const robot = robots.get(id);
		if (!robot) return NOT_FOUND;
		const key = textOf(fieldsOf(fieldsOf(body).params).item);
		const run = service.start(robot, key, 'api', headers[SENDER]);
		const url = `https://maxun.test/api/v1/runs/${run.id}`;
		return { status: 202, body: { success: true, id: run.id, status: run.status, url } };
	};

	/** Moves or renames a robot. */
	const change = (robot: Robot, body: unknown): Response => {
		const name = textOf(fieldsOf(body).name);
		const page = textOf(fieldsOf(body).url);
		const key = page?.split('/').pop();
		if (page && key && isRefused(page, key)) return refuse(400, 'This URL is not allowed');
		if (name && [...robots.values()].some((other) => other !== robot && other.name === name)) {
			return refuse(409, 'A robot with this name exists');
		}
		return ok(robotView(Object.assign(robot, name && { name }, key && { key })));
	};

	const runsOf = (id: string | undefined, url: URL): Response => {
		if (id !== undefined && !service.robot(id)) return NOT_FOUND;
		const { searchParams } = url;
		const robotId = id ?? searchParams.get('robotId');
		const statuses = searchParams.get('status')?.split(',');
		const [since, until] = ['since', 'until'].map(
			(name) => Date.parse(searchParams.get(name) ?? '') - skew,
		);
		const found = service.shownRuns.filter(
			(run) =>
				(!robotId || run.robotId === robotId) &&
				(!statuses || statuses.includes(run.status)) &&
				!(run.createdAt < since) &&
				!(run.createdAt > until),
		);
		return limited(found, runView, url, 'run');
	};

	const addWebhook = (robot: Robot, body: unknown): Response => {
		if (robot.webhooks.length >= MOST_WEBHOOKS) return refuse(400, 'Too many webhooks');
		const defaults = {
			events: ['run_completed', 'run_failed'],
			active: true,
			retryAttempts: 3,
			retryDelay: 5,
			timeout: 30,
		};
		const id = service.id('webhook');
		const webhook: Webhook = { ...defaults, url: '', ...fieldsOf(body), id };
		robot.webhooks.push(webhook);
		return ok(webhook, 201);
	};

	const withRobot = <T,>(id: string | undefined, work: (robot: Robot) => T): T | Response => {
		const robot = service.robot(id ?? '');
		return robot ? work(robot) : NOT_FOUND;
	};

	/** Responds with a robot's webhook, or with 404. */
	const withWebhook = <T,>(
		[id, webhook]: string[],
		work: (webhook: Webhook, robot: Robot) => T,
	): T | Response =>
		withRobot(id, (robot) => {
			const found = robot.webhooks.find((candidate) => candidate.id === webhook);
			return found ? work(found, robot) : NOT_FOUND;
		});

	const handle = router(
		{
			'GET /robots': (_ids, { url }) => {
				const text = url.searchParams.get('q') ?? '';
				const found = [...robots.values()].filter(({ name }) => name.includes(text));
				return limited(found.reverse(), robotView, url, 'robot');
			},
			'POST /robots/:type': ([type = ''], request) => create(type, request),
			'POST /agents': (_ids, request) => create('agent', request),
			'POST /robots/:id/duplicate': ([id], request) =>
				withRobot(id, ({ type, workflow }) =>
					create(type, request, workflow && movedTo(workflow, String(fieldsOf(request.body).url))),
				),
			[`PATCH ${ANY}/:id`]: ([id], { body }) => withRobot(id, (robot) => change(robot, body)),
			[`GET ${ANY}/:id`]: ([id]) => withRobot(id, (robot) => ok(robotView(robot))),
			[`DELETE ${ANY}/:id`]: ([id]) => remove(id),
			[`POST ${ANY}/:id/runs`]: ([id], request) => start(id, request),
			[`GET ${ANY}/:id/runs`]: ([id], { url }) => runsOf(id, url),
			'GET /runs': (_ids, { url }) => runsOf(undefined, url),
			'GET /runs/active': () => {
				const active = service.shownRuns.filter((run) => !hasEnded(run));
				const odd = oddEntries('run').map((entry) => JSON.stringify(entry));
				const entries = [...odd, ...active.map(jsonOf)];
				return { status: 200, body: `{"success":true,"data":[${entries.join()}]}` };
			},
			'GET /runs/:id': ([id = '']) => {
				const run = runs.get(id);
				const shown = run && service.shown(run);
				if (!shown) return NOT_FOUND;
				const failure = service.broken.get(shown.robotId);
				if (failure === undefined) return ok(withData(shown));
				return failure === 404 ? NOT_FOUND : refuse(failure, 'Broken');
			},
			'POST /runs/:id/cancel': ([id = ''], { headers }) => {
				const run = runs.get(id);
				if (!run) return NOT_FOUND;
				if (hasEnded(run)) return refuse(409, 'The run has already finished');
				run.canceller = headers[SENDER];
				service.end(run, 'aborted');
				return ok(runView(run));
			},
			'GET /usage': () => ok({ credits: 1000 }),
			'PUT /robots/:id/schedule': ([id], { body }) =>
				withRobot(id, (robot) => {
					service.setSchedule(robot, fieldsOf(body));
					return ok(robot.schedule);
				}),
			'DELETE /robots/:id/schedule': ([id]) =>
				withRobot(id, (robot) => {
					service.setSchedule(robot);
					return ok(null);
				}),
			'GET /robots/:id/webhooks': ([id]) => withRobot(id, ({ webhooks }) => ok(webhooks)),
			'POST /robots/:id/webhooks': ([id], { body }) =>
				withRobot(id, (robot) => addWebhook(robot, body)),
			'PATCH /robots/:id/webhooks/:webhook': (ids, { body }) =>
				withWebhook(ids, (webhook) => ok(Object.assign(webhook, fieldsOf(body)))),
			'POST /robots/:id/webhooks/:webhook/test': async (ids) =>
				await withWebhook(ids, async (webhook) => {
					const statusCode = await service.sample(webhook);
					return ok({ delivered: statusCode >= 200 && statusCode < 300, statusCode });
				}),
			'DELETE /robots/:id/webhooks/:webhook': (ids) =>
				withWebhook(ids, (webhook, { webhooks }) => {
					webhooks.splice(webhooks.indexOf(webhook), 1);
					return ok(null);
				}),
		},
		'/api/v1',
		NOT_FOUND,
	);
	/** The routes of Maxun's SDK. */
	const sdk = selfHostedServer(service);
	return async (request) => {
		const wait = service.throttle();
		const headers = {
			date: dateOf(service.time).toUTCString(),
			'x-ratelimit-limit': String(settings.rateLimit),
			'x-ratelimit-remaining': String(service.remaining),
		};
		if (wait !== undefined) {
			const retry = { 'retry-after': String(wait) };
			return { ...refuse(429, 'Too many requests'), headers: { ...headers, ...retry } };
		}
		const response =
			forbidden(service, request) ??
			(await (request.url.pathname.startsWith('/api/sdk/') ? sdk : handle)(request));
		return { ...response, headers: { ...headers, ...response.headers } };
	};
}

function forbidden({ roles }: Service, { method, headers }: Request): Response | undefined {
	const key = headers['x-api-key'];
	if (key === undefined) return refuse(401, 'The API key is missing');
	const role = roles.get(key);
	if (!role) return refuse(403, 'The API key is not valid');
	const isAllowed =
		method === 'GET' || role === 'admin' || (role === 'member' && method !== 'DELETE');
	return isAllowed ? undefined : refuse(403, 'Your role in this team does not allow this');
}

function dataOf(run: Run, { type, workflow: now }: Partial<Robot> = {}): object {
	const { workflow = now } = run;
	if (workflow) {
		const { texts, lists } = capturedBy(run, workflow);
		return { textData: texts, listData: Object.values(lists).flat() };
	}
	if (run.text !== undefined) return { markdown: run.text };
	const pages = rowsOf(run).map(({ key, row }) => ({
		url: `https://pages.test/${key}/${row}`,
		markdown: `# ${key}`,
		key,
	}));
	if (type === 'crawl') return { crawlData: pages };
	if (type === 'search') {
		return { searchData: { query: run.key, resultsCount: pages.length, results: pages } };
	}
	return { listData: rowsOf(run), markdown: `# ${run.key}` };
}
