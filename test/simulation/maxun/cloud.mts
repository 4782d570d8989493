import type { Response, Server } from '../network.mts';
import { fieldsOf, router, textOf } from './router.mts';
import { hasEnded, type Robot, type Run, type Service, type Webhook } from './service.mts';

const MOST_WEBHOOKS = 10;
const DEFAULT_LIMIT = 25;

/** Seconds to build an agent. */
const BUILDING = 70;

const ok = (data: unknown, status = 200): Response => ({ status, body: { success: true, data } });

const refuse = (status: number, error: string): Response => ({
	status,
	body: { success: false, error },
});

const NOT_FOUND = refuse(404, 'Not found');

const time = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString());

/** The hosted service with its API v1. */
export function cloudServer(service: Service): Server {
	const { robots, runs, clock } = service;

	const robotView = ({ id, name, type, createdAt, webhooks }: Robot) => {
		const isBuilding = type === 'agent' && clock.now < createdAt + BUILDING * 1000;
		const status = isBuilding ? 'creating' : 'ready';
		return { id, name, type, status, createdAt: time(createdAt), webhooks };
	};

	const runView = ({ createdAt, startedAt, finishedAt, plan, key, ...run }: Run) => ({
		...run,
		startedAt: time(startedAt ?? createdAt),
		finishedAt: time(finishedAt),
		error: run.status === 'failed' ? 'The page did not load' : null,
	});

	const withData = (run: Run) => ({
		...runView(run),
		data: {
			listData: hasEnded(run) ? rowsOf(run) : [],
			markdown: hasEnded(run) ? `# ${run.key}` : null,
		},
		screenshots: [],
	});

	/** Converts only the entries of the page, because a list may be long. */
	const limited = <T,>(all: T[], view: (entry: T) => unknown, url: URL) => {
		const limit = Number(url.searchParams.get('limit') ?? DEFAULT_LIMIT);
		const offset = Number(url.searchParams.get('offset') ?? 0);
		return ok(all.slice(offset, offset + limit).map(view));
	};

	const create = (type: string, body: unknown): Response => {
		const { name, url, searchConfig, prompt } = fieldsOf(body);
		const wanted = textOf(name);
		if ([...robots.values()].some((robot) => robot.name === wanted)) {
			return refuse(409, 'A robot with this name exists');
		}
		const page = textOf(url) ?? textOf(fieldsOf(searchConfig).query) ?? textOf(prompt) ?? '';
		const key = page.split('/').pop() ?? '';
		const robot = service.createRobot({ type, name: wanted, key });
		return ok(robotView(robot), type === 'agent' ? 202 : 201);
	};

	const remove = (id = ''): Response => {
		if (!robots.has(id)) return NOT_FOUND;
		return service.deleteRobot(id) ? ok(null) : refuse(409, 'The robot has active runs');
	};

	const start = (id = '', body: unknown): Response => {
		const robot = robots.get(id);
		if (!robot) return NOT_FOUND;
		const run = service.start(robot, textOf(fieldsOf(fieldsOf(body).params).item));
		const url = `https://maxun.test/api/v1/runs/${run.id}`;
		return { status: 202, body: { success: true, id: run.id, status: run.status, url } };
	};

	const runsOf = (id: string | undefined, url: URL): Response => {
		if (id !== undefined && !service.robot(id)) return NOT_FOUND;
		const { searchParams } = url;
		const robotId = id ?? searchParams.get('robotId');
		const statuses = searchParams.get('status')?.split(',');
		const since = Date.parse(searchParams.get('since') ?? '');
		const found = service.shownRuns.filter(
			(run) =>
				(!robotId || run.robotId === robotId) &&
				(!statuses || statuses.includes(run.status)) &&
				!(run.createdAt < since),
		);
		return limited(found, runView, url);
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

	const handle = router(
		{
			'GET /robots': (_ids, { url }) => {
				const text = url.searchParams.get('q') ?? '';
				const found = [...robots.values()].filter(({ name }) => name.includes(text));
				return limited(found.reverse(), robotView, url);
			},
			'POST /robots/:type': ([type = ''], { body }) => create(type, body),
			'POST /agents': (_ids, { body }) => create('agent', body),
			'GET /robots/:id': ([id]) => withRobot(id, (robot) => ok(robotView(robot))),
			'GET /agents/:id': ([id]) => withRobot(id, (robot) => ok(robotView(robot))),
			'DELETE /robots/:id': ([id]) => remove(id),
			'DELETE /agents/:id': ([id]) => remove(id),
			'POST /robots/:id/runs': ([id], { body }) => start(id, body),
			'POST /agents/:id/runs': ([id], { body }) => start(id, body),
			'GET /robots/:id/runs': ([id], { url }) => runsOf(id, url),
			'GET /agents/:id/runs': ([id], { url }) => runsOf(id, url),
			'GET /runs': (_ids, { url }) => runsOf(undefined, url),
			'GET /runs/active': () => ok(service.shownRuns.filter((run) => !hasEnded(run)).map(runView)),
			'GET /runs/:id': ([id = '']) => {
				const run = runs.get(id);
				const shown = run && service.shown(run);
				if (!shown) return NOT_FOUND;
				const failure = service.broken.get(shown.robotId);
				if (failure === undefined) return ok(withData(shown));
				return failure === 404 ? NOT_FOUND : refuse(failure, 'Broken');
			},
			'POST /runs/:id/cancel': ([id = '']) => {
				const run = runs.get(id);
				if (!run) return NOT_FOUND;
				if (hasEnded(run)) return refuse(409, 'The run has already finished');
				service.end(run, 'aborted');
				return ok(runView(run));
			},
			'GET /robots/:id/webhooks': ([id]) => withRobot(id, ({ webhooks }) => ok(webhooks)),
			'POST /robots/:id/webhooks': ([id], { body }) =>
				withRobot(id, (robot) => addWebhook(robot, body)),
			'PATCH /robots/:id/webhooks/:webhook': ([id, webhook], { body }) =>
				withRobot(id, ({ webhooks }) => {
					const found = webhooks.find((candidate) => candidate.id === webhook);
					return found ? ok(Object.assign(found, fieldsOf(body))) : NOT_FOUND;
				}),
			'POST /robots/:id/webhooks/:webhook/test': async ([id, webhook]) =>
				await withRobot(id, async ({ webhooks }) => {
					const found = webhooks.find((candidate) => candidate.id === webhook);
					if (!found) return NOT_FOUND;
					const statusCode = await service.sample(found);
					return ok({ delivered: statusCode >= 200 && statusCode < 300, statusCode });
				}),
			'DELETE /robots/:id/webhooks/:webhook': ([id, webhook]) =>
				withRobot(id, ({ webhooks }) => {
					const index = webhooks.findIndex((candidate) => candidate.id === webhook);
					if (index < 0) return NOT_FOUND;
					webhooks.splice(index, 1);
					return ok(null);
				}),
		},
		'/api/v1',
		NOT_FOUND,
	);
	return async (request) => {
		const wait = service.throttle();
		if (wait === undefined) return await handle(request);
		return { ...refuse(429, 'Too many requests'), headers: { 'retry-after': String(wait) } };
	};
}

export const rowsOf = ({ key, plan }: Run) =>
	Array.from({ length: plan.rows }, (_, row) => ({ key, row }));
