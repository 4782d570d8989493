import type { FastifyInstance, FastifyReply } from 'fastify';
import { messageOf } from '../errors.mts';
import { pathnameOf, receive, refusedStatus } from '../receive.mts';
import { strike } from '../strike.mts';
import type { World } from '../world.mts';
import { Refusal, unknownRoute, unreadable } from './refusals.mts';
import { robotRoutes } from './robots.mts';
import { type Add, addRoute } from './route.mts';
import { runRoutes } from './runs.mts';
import { scheduleRoutes } from './schedules.mts';
import { sdkRoutes } from './sdk.mts';
import { sdkCreateRoutes } from './sdk-create.mts';
import { sdkNewerRoutes } from './sdk-newer.mts';
import { sdkPromptRoutes } from './sdk-record.mts';
import { sdkRunRoutes } from './sdk-runs.mts';

const PREFIX = '/api';
const ROUTES = [
	robotRoutes,
	runRoutes,
	scheduleRoutes,
	sdkRoutes,
	sdkCreateRoutes,
	sdkPromptRoutes,
	sdkRunRoutes,
	sdkNewerRoutes,
];

/**
 * The self-hosted API under `/api`. Maxun Cloud also has this unversioned API. The setting `selfHostedForm` selects
 * the documented form or a real server's. Requests need the key in `x-api-key`, and only reach its owner's robots.
 */
export async function registerSelfHosted(root: FastifyInstance, world: World): Promise<void> {
	await root.register(
		async (app) => {
			await receive(app, world, PREFIX);
			// Other bodies count as missing.
			app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null));
			answerErrors(app, world);
			strike(app, world, PREFIX, (statusCode) => ({
				statusCode,
				messageCode: 'error',
				message: 'Injected fault',
			}));
			const add: Add = (endpoint, handle) => addRoute(app, world, endpoint, handle);
			for (const routes of ROUTES) routes(add, world);
		},
		{ prefix: PREFIX },
	);
}

function answerErrors(app: FastifyInstance, world: World): void {
	app.setErrorHandler((error, _request, reply) => {
		if (error instanceof Refusal) return send(reply, error);
		const message = messageOf(error);
		const status = refusedStatus(error);
		if (status !== undefined) {
			return send(reply, unreadable(world.settings.selfHostedForm, status, message));
		}
		console.error(error);
		return reply.code(500).send({ statusCode: 500, messageCode: 'error', message });
	});
	app.setNotFoundHandler((request) => {
		throw unknownRoute(world.settings.selfHostedUnknownRoute, request.method, pathnameOf(request));
	});
}

function send(reply: FastifyReply, { status, body }: Refusal): FastifyReply {
	const isPage = typeof body === 'string' && body.startsWith('<');
	const type = isPage ? 'text/html' : typeof body === 'string' ? 'text/plain' : 'application/json';
	return reply.code(status).type(`${type}; charset=utf-8`).send(body);
}
