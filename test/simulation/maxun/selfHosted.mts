import type { Request, Response, Server } from '../network.mts';
import { SENDER } from '../origins.mts';
import { fieldsOf, router, textOf } from './router.mts';
import { capturedBy, movedTo, visitedBy } from './page.mts';
import { hasEnded, rowsOf, type Robot, type Run, type Service, type Webhook } from './service.mts';

/** A user's simultaneous runs. Another start fails at once. */
const SLOTS = 2;

const respond = (statusCode: number, messageCode: string, fields: object): Response => ({
	status: statusCode,
	body: { statusCode, messageCode, ...fields },
});

const FAILED = respond(500, 'error', { message: 'Failed to run robot' });
const NOT_FOUND = respond(404, 'not_found', { message: 'Not found' });

const ok = (fields: object): Response => respond(200, 'success', fields);

/** A response below `/sdk`. */
const sdk = (body: object, status = 200): Response => ({ status, body });
const sdkError = (status: number, error: string): Response => sdk({ error }, status);

/** Writes a time as a server does: local, without its zone. */
function clockOf(timeZone = 'UTC', skew = 0) {
	const format = new Intl.DateTimeFormat('en-US', {
		timeZone,
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: '2-digit',
		second: '2-digit',
		hour12: true,
	});
	return (at: number | undefined) =>
		at === undefined ? '' : format.format(at + skew).replace(/\u202f/g, ' ');
}

/** A self-hosted server, with the observed server's quirks. */
export function selfHostedServer(service: Service): Server {
	const { robots, runs, clock, settings } = service;
	const { skew = 0, odd, timeless } = settings;
	const time = clockOf(settings.timezone, skew);

	const robotView = ({ id, name, createdAt }: Robot) => ({
		id,
		name,
		createdAt: createdAt + skew,
		inputParameters: [],
	});

	const runView = (run: Run) => ({
		id: `row-${run.id}`,
		runId: run.id,
		status: run.status,
		name: run.robotName,
		robotId: run.robotId,
		startedAt: timeless ? '' : time(run.startedAt ?? run.createdAt),
		finishedAt: timeless === 'all' ? '' : time(run.finishedAt),
		runByUserId: 1,
		runByScheduleId: run.source === 'schedule' ? 'schedule' : null,
		runByAPI: run.source === 'api',
		data: hasEnded(run) ? dataOf(run, service.past.robots.get(run.robotId)) : {},
		screenshots: [],
	});

	/** A list that may contain an odd entry next to others. The nodes can't tell what a list of odd entries contains. */
	const withOdd = (entries: object[]): unknown[] => {
		if (!odd || entries.length === 0) return entries;
		if (odd === 'null') return [...entries, null];
		return [...entries, { ...entries[0], runId: 'odd', status: null, type: null }];
	};

	const create = (type: string, { body, headers }: Request): Response => {
		const { meta, name, robotName, url, searchConfig, prompt, workflow } = fieldsOf(body);
		const own = type === 'scrape' && fieldsOf(meta).type === 'extract' ? workflow : undefined;
		const wanted = textOf(name) ?? textOf(robotName) ?? textOf(fieldsOf(meta).name);
		const page =
			url ?? fieldsOf(meta).url ?? fieldsOf(searchConfig).query ?? prompt ?? visitedBy(own);
		const isTaken = [...robots.values()].some((robot) => robot.name === wanted);
		if (isTaken && type !== 'search') return sdkError(409, 'Robot name is already in use');
		const key = textOf(page)?.split('/').pop() ?? '';
		if (service.refusedPages.has(key)) return sdkError(400, 'Invalid URL');
		const robot = service.createRobot({
			...{ type: own ? 'extract' : type, name: wanted, key, creator: headers[SENDER] },
			workflow: Array.isArray(own) ? own : undefined,
		});
		if (type !== 'agent') return sdk({ data: stored(robot) }, 201);
		return sdk({ success: true, data: { robotId: robot.id, name: robot.name, workflow: [] } });
	};

	/** The server chooses the name. */
	const duplicate = (robot: Robot, { body, headers }: Request): Response => {
		const target = textOf(fieldsOf(body).targetUrl);
		const key = target?.split('/').pop() ?? '';
		if (!target || !URL.canParse(target) || service.refusedPages.has(key)) {
			return respond(400, 'bad_request', { message: 'Invalid targetUrl' });
		}
		const name = `${robot.name} (${key})`;
		const workflow = robot.workflow && movedTo(robot.workflow, target);
		const { type } = robot;
		const copy = service.createRobot({ type, name, key, creator: headers[SENDER], workflow });
		return respond(201, 'success', { robot: robotView(copy) });
	};

	/** Changes a robot's stored form. A list of webhooks replaces the whole list. */
	const change = (robot: Robot, { body }: Request): Response => {
		const { webhooks, meta, schedule, workflow } = fieldsOf(body);
		if (Array.isArray(workflow)) robot.workflow = workflow;
		if (Array.isArray(webhooks)) robot.webhooks = webhooks.map(webhookOf);
		if (schedule !== undefined)
			service.setSchedule(robot, schedule ? fieldsOf(schedule) : undefined);
		const name = textOf(fieldsOf(meta).name);
		const key = textOf(fieldsOf(meta).url)?.split('/').pop();
		Object.assign(robot, name && { name }, key && { key });
		return sdk({ data: stored(robot) });
	};

	const abort = (runId: string, { headers }: Request): Response => {
		const run = runs.get(runId);
		if (!run) return sdkError(404, 'Run not found');
		if (hasEnded(run)) return sdk({ error: 'Cannot abort', currentStatus: run.status }, 400);
		run.canceller = headers[SENDER];
		service.end(run, 'aborted');
		return sdk({ message: 'Run aborted', data: runView(run) });
	};

	const remove = (id: string): Response => {
		if (!robots.has(id)) return sdkError(404, 'Robot not found');
		// The server accepts this even if runs are active.
		for (const run of runs.values()) if (run.robotId === id) service.end(run, 'aborted');
		service.deleteRobot(id);
		return sdk({ message: 'Robot deleted' });
	};

	const withRobot = (
		id: string | undefined,
		work: (robot: Robot) => Response | Promise<Response>,
		missing = NOT_FOUND,
	) => {
		const robot = service.robot(id ?? '');
		return robot ? work(robot) : missing;
	};

	const withStored = (id: string | undefined, work: (robot: Robot) => Response) =>
		withRobot(id, work, sdkError(404, 'Robot not found'));

	/** Responds when the run has ended. All failures look alike. */
	const start = async (robot: Robot | undefined, { headers }: Request): Promise<Response> => {
		const active = [...runs.values()].filter((run) => !hasEnded(run));
		if (!robot || active.length >= SLOTS) return FAILED;
		const run = service.start(robot, robot.key, 'api', headers[SENDER]);
		await service.ending(run);
		await clock.pause(2_000);
		return run.status === 'success' ? ok({ run: runView(run) }) : FAILED;
	};

	const handle = router(
		{
			'GET /robots': () => {
				const items = [...robots.values()].map(robotView);
				return ok({ robots: { totalCount: items.length, items } });
			},
			'GET /robots/:id': ([id]) => withRobot(id, (robot) => ok({ robot: robotView(robot) })),
			'POST /robots/:id/runs': async ([id = ''], request) => await start(robots.get(id), request),
			'POST /robots/:id/duplicate': ([id], request) =>
				withRobot(id, (robot) => duplicate(robot, request)),
			'GET /robots/:id/runs': ([id]) =>
				withRobot(id, () => {
					const own = service.shownRuns.filter(({ robotId }) => robotId === id);
					const items = withOdd(own.map(runView));
					return ok({ runs: { totalCount: items.length, items } });
				}),
			'GET /robots/:id/runs/:run': ([id, runId = '']) => {
				const run = runs.get(runId);
				const shown = run?.robotId === id ? run && service.shown(run) : undefined;
				const failure = shown && service.broken.get(shown.robotId);
				if (failure !== undefined) return failure === 404 ? NOT_FOUND : FAILED;
				return shown ? ok({ run: runView(shown) }) : NOT_FOUND;
			},
			'GET /sdk/robots': () => sdk({ data: [...robots.values()].map(stored) }),
			'POST /sdk/robots': (_ids, request) => create('scrape', request),
			'POST /sdk/crawl': (_ids, request) => create('crawl', request),
			'POST /sdk/search': (_ids, request) => create('search', request),
			'POST /sdk/extract/llm': async (_ids, request) => {
				await clock.pause(9_000);
				return create('agent', request);
			},
			'GET /sdk/robots/:id': ([id]) => withStored(id, (robot) => sdk({ data: stored(robot) })),
			'PUT /sdk/robots/:id': ([id], request) => withStored(id, (robot) => change(robot, request)),
			'DELETE /sdk/robots/:id': ([id = '']) => remove(id),
			'GET /sdk/robots/:id/runs/:run': ([, id = '']) => {
				const run = runs.get(id);
				const shown = run && service.shown(run);
				return shown
					? sdk({ data: { ...runView(shown), log: '' } })
					: sdkError(404, 'Run not found');
			},
			'POST /sdk/robots/:id/runs/:run/abort': ([, id = ''], request) => abort(id, request),
		},
		'/api',
		{ status: 404, body: '<html><body><pre>Cannot GET</pre></body></html>' },
	);
	return async (request) => {
		const date = new Date(service.time).toUTCString();
		const key = request.headers['x-api-key'];
		if (key === undefined) return sdkError(401, 'API key is missing');
		if (!service.roles.has(key)) return sdkError(403, 'Invalid API key');
		return { ...(await handle(request)), headers: { date } };
	};
}

/** An ended run's data, in objects by the names given in the recorder. */
function dataOf(run: Run, { type, workflow: now }: Partial<Robot> = {}): object {
	const { workflow = now } = run;
	if (workflow) {
		const { texts, lists } = capturedBy(run, workflow);
		return { textData: 'HTML' in texts ? { Fields: [texts] } : {}, listData: lists };
	}
	if (run.text !== undefined) return { textData: {}, listData: {}, markdown: run.text };
	const rows = rowsOf(run);
	const url = `https://pages.test/${run.key}`;
	if (type === 'crawl') {
		const pages = rows.map(({ key }) => ({
			markdown: `# ${key}`,
			metadata: { url, depth: 0 },
			key,
		}));
		return { crawlData: { 'Crawl Results': pages } };
	}
	if (type === 'search') {
		const results = rows.map(({ key }) => ({ url, title: key, position: 1, description: key }));
		return { searchData: { 'Search Results': { query: run.key, results } } };
	}
	return { textData: {}, listData: { [run.robotName]: rows }, markdown: `# ${run.key}` };
}

const stored = ({ id, name, type, webhooks, schedule, workflow = [] }: Robot) => ({
	id: `row-${id}`,
	recording_meta: { id, name, type, isLLM: type === 'agent' || undefined },
	recording: { workflow },
	schedule: schedule ?? null,
	webhooks: webhooks.length > 0 ? webhooks : null,
});

const webhookOf = (fields: object): Webhook => ({
	id: '',
	url: '',
	events: [],
	active: false,
	retryAttempts: 3,
	retryDelay: 5,
	timeout: 30,
	...fields,
});
