import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authenticate } from '../auth.mts';
import { ApiError, messageOf, notFound } from '../errors.mts';
import type { Category } from '../rates.mts';
import { pathnameOf, receive, refusedStatus } from '../receive.mts';
import { strike } from '../strike.mts';
import type { World } from '../world.mts';
import { accountRoutes } from './account.mts';
import { agentRoutes } from './agents.mts';
import { createRoutes } from './create.mts';
import { documentRoutes } from './documents.mts';
import { monitoringRoutes } from './monitoring.mts';
import { robotRoutes } from './robots.mts';
import { type Add, addRoute } from './route.mts';
import { runRoutes } from './runs.mts';
import { scheduleRoutes } from './schedules.mts';
import { webhookRoutes } from './webhooks.mts';

const PREFIX = '/api/v1';

const ROUTES = [
	accountRoutes,
	robotRoutes,
	createRoutes,
	documentRoutes,
	agentRoutes,
	runRoutes,
	scheduleRoutes,
	monitoringRoutes,
	webhookRoutes,
];

export async function registerApi(root: FastifyInstance, world: World): Promise<void> {
	// Tests set the clock. Node.js would send the real time.
	root.addHook('onSend', async (_request, reply) => {
		reply.header('date', new Date().toUTCString());
	});
	await root.register(
		async (app) => {
			await receive(app, world, PREFIX);
			answerErrors(app);
			admit(app, world);
			strike(app, world, PREFIX, (status) => ({
				success: false,
				error: `Injected fault (status ${status})`,
			}));
			const add: Add = (route, handle) => addRoute(app, route, handle);
			for (const routes of ROUTES) routes(add, world);
		},
		{ prefix: PREFIX },
	);
}

function answerErrors(app: FastifyInstance): void {
	app.setErrorHandler(async (error, _request, reply) => {
		if (error instanceof ApiError) {
			return await reply
				.code(error.status)
				.headers(error.headers)
				.send({ success: false, error: error.message });
		}
		const message = messageOf(error);
		const status = refusedStatus(error) ? 400 : 500;
		if (status === 500) console.error(error);
		return await reply.code(status).send({ success: false, error: message });
	});
	app.setNotFoundHandler((request) => {
		throw notFound(`${request.method} ${request.url}`);
	});
}

function admit(app: FastifyInstance, world: World): void {
	app.decorateRequest('caller', null);
	app.addHook('onRequest', async (request, reply) => {
		request.caller = authenticate(request.headers, world.state);
		reply.headers(world.rates.count(request.caller.account.key, categoryOf(request)));
	});
}

function categoryOf(request: FastifyRequest): Category {
	if (request.method === 'GET' || request.method === 'HEAD') return 'read';
	return request.method === 'POST' && /\/runs$/.test(pathnameOf(request)) ? 'runs' : 'write';
}
