import type { Response, Server } from '../network.mts';
import { rowsOf } from './cloud.mts';
import { fieldsOf, router } from './router.mts';
import { hasEnded, type Robot, type Run, type Service, type Webhook } from './service.mts';

/** Simultaneous runs of a user. A further start fails at once. */
const SLOTS = 2;

const FAILED: Response = {
	status: 500,
	body: { statusCode: 500, messageCode: 'error', message: 'Failed to run robot' },
};

const NOT_FOUND: Response = {
	status: 404,
	body: { statusCode: 404, messageCode: 'not_found', message: 'Not found' },
};

const ok = (fields: object): Response => ({
	status: 200,
	body: { statusCode: 200, messageCode: 'success', ...fields },
});

/** Writes a time as a server does: local, without its zone. */
function clockOf(timeZone = 'UTC') {
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
		at === undefined ? '' : format.format(at).replace(/\u202f/g, ' ');
}

/** A self-hosted server. Its quirks are those of the observed one. */
export function selfHostedServer(service: Service): Server {
	const { robots, runs, clock } = service;
	const time = clockOf(service.settings.timezone);

	const robotView = ({ id, name, createdAt }: Robot) => ({
		id,
		name,
		createdAt,
		inputParameters: [],
	});

	const runView = (run: Run) => ({
		id: `row-${run.id}`,
		runId: run.id,
		status: run.status,
		name: run.robotName,
		robotId: run.robotId,
		startedAt: time(run.startedAt ?? run.createdAt),
		finishedAt: time(run.finishedAt),
		runByUserId: 1,
		runByScheduleId: run.source === 'schedule' ? 'schedule' : null,
		runByAPI: run.source === 'api',
		data: { textData: {}, listData: hasEnded(run) ? { [run.robotName]: rowsOf(run) } : {} },
		screenshots: [],
	});

	const withRobot = (
		id: string | undefined,
		work: (robot: Robot) => Response | Promise<Response>,
	) => {
		const robot = service.robot(id ?? '');
		return robot ? work(robot) : NOT_FOUND;
	};

	/** Responds when the run has ended. All failures look alike. */
	const start = async (robot: Robot | undefined): Promise<Response> => {
		const active = [...runs.values()].filter((run) => !hasEnded(run));
		if (!robot || active.length >= SLOTS) return FAILED;
		const run = service.start(robot);
		await service.ending(run);
		await clock.pause(2_000);
		return run.status === 'success' ? ok({ run: runView(run) }) : FAILED;
	};

	return router(
		{
			'GET /robots': () => {
				const items = [...robots.values()].map(robotView);
				return ok({ robots: { totalCount: items.length, items } });
			},
			'GET /robots/:id': ([id]) => withRobot(id, (robot) => ok({ robot: robotView(robot) })),
			'POST /robots/:id/runs': async ([id = '']) => await start(robots.get(id)),
			'GET /robots/:id/runs': ([id]) =>
				withRobot(id, () => {
					const items = service.shownRuns.filter(({ robotId }) => robotId === id).map(runView);
					return ok({ runs: { totalCount: items.length, items } });
				}),
			'GET /robots/:id/runs/:run': ([id, runId = '']) => {
				const run = runs.get(runId);
				const shown = run?.robotId === id ? run && service.shown(run) : undefined;
				const failure = shown && service.broken.get(shown.robotId);
				if (failure !== undefined) return failure === 404 ? NOT_FOUND : FAILED;
				return shown ? ok({ run: runView(shown) }) : NOT_FOUND;
			},
			'GET /sdk/robots/:id': ([id]) =>
				withRobot(id, (robot) => ({ status: 200, body: { data: stored(robot) } })),
			// Replaces the whole list.
			'PUT /sdk/robots/:id': ([id], { body }) =>
				withRobot(id, (robot) => {
					const { webhooks } = fieldsOf(body);
					if (Array.isArray(webhooks)) robot.webhooks = webhooks.map(webhookOf);
					return { status: 200, body: { data: stored(robot) } };
				}),
		},
		'/api',
		{ status: 404, body: '<html><body><pre>Cannot GET</pre></body></html>' },
	);
}

const stored = ({ id, name, type, webhooks }: Robot) => ({
	id: `row-${id}`,
	recording_meta: { id, name, type },
	schedule: null,
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
