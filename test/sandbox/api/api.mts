import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authenticate } from '../auth.mts';
import { ApiError, notFound } from '../errors.mts';
import { MAX_FILE_BYTES, readParts } from '../parts.mts';
import type { Category } from '../rates.mts';
import { describeParts, type RecordedRequest } from '../request-log.mts';
import { strike } from '../strike.mts';
import type { World } from '../world.mts';
import { accountRoutes } from './account.mts';
import { agentRoutes } from './agents.mts';
import { createRoutes } from './create.mts';
import { documentRoutes } from './documents.mts';
import { monitoringRoutes } from './monitoring.mts';
import { robotRoutes } from './robots.mts';
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

/** The API itself, under `/api/v1`. */
export async function registerApi(root: FastifyInstance, world: World): Promise<void> {
	// Tests set the clock. Node.js would send the real time.
	root.addHook('onSend', async (_request, reply) => {
		reply.header('date', new Date().toUTCString());
	});
	await root.register(
		async (app) => {
			app.decorateRequest('caller', null);
			app.decorateRequest('formParts', null);
			await app.register(multipart, { limits: { fileSize: MAX_FILE_BYTES } });
			acceptJson(app);
			answerErrors(app);
			admit(app, world);
			strike(app, world, PREFIX);
			for (const routes of ROUTES) routes(app, world);
		},
		{ prefix: PREFIX },
	);
}

/** JSON bodies. Ignores empty ones. */
function acceptJson(app: FastifyInstance): void {
	app.removeContentTypeParser(['application/json', 'text/plain']);
	app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
		const text = body.toString();
		if (text.trim() === '') return done(null, undefined);
		try {
			const value: unknown = JSON.parse(text);
			done(null, value);
		} catch {
			done(new ApiError(400, 'The body is not valid JSON'));
		}
	});
}

function answerErrors(app: FastifyInstance): void {
	app.setErrorHandler(async (error, _request, reply) => {
		if (error instanceof ApiError) {
			return await reply
				.code(error.status)
				.headers(error.headers)
				.send({ success: false, error: error.message });
		}
		const message = error instanceof Error ? error.message : String(error);
		const status = isClientError(error) ? 400 : 500;
		if (status === 500) console.error(error);
		return await reply.code(status).send({ success: false, error: message });
	});
	app.setNotFoundHandler((request) => {
		throw notFound(`${request.method} ${request.url}`);
	});
}

/** Reports Fastify errors (wrong content type, too large, …) as invalid requests. */
function isClientError(error: unknown): boolean {
	return (
		error instanceof Error &&
		'statusCode' in error &&
		typeof error.statusCode === 'number' &&
		error.statusCode < 500
	);
}

/** Logs each request, then checks the key and rate limit. */
function admit(app: FastifyInstance, world: World): void {
	app.addHook('onRequest', async (request, reply) => {
		const entry: RecordedRequest = {
			root: PREFIX,
			at: new Date().toISOString(),
			method: request.method,
			path: pathOf(request),
			query: request.query,
			headers: request.headers,
			body: null,
		};
		world.requests.add(entry, reply.raw);
		recorded.set(request, entry);
		request.caller = authenticate(request.headers, world.state);
		reply.headers(world.rates.count(request.caller.account.key, categoryOf(request)));
	});
	app.addHook('preHandler', async (request) => {
		if (request.isMultipart()) request.formParts = await readParts(request);
		const entry = recorded.get(request);
		if (entry === undefined) return;
		entry.body = request.formParts ? describeParts(request.formParts) : (request.body ?? null);
	});
}

const recorded = new WeakMap<FastifyRequest, { body: unknown }>();
function pathOf(request: FastifyRequest): string {
	return request.url.replace(/\?.*$/s, '').slice(PREFIX.length) || '/';
}

function categoryOf(request: FastifyRequest): Category {
	if (request.method === 'GET' || request.method === 'HEAD') return 'read';
	return request.method === 'POST' && /\/runs$/.test(pathOf(request)) ? 'runs' : 'write';
}
