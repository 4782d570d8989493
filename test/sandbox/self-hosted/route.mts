import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { z } from 'zod';
import { authenticate, type Caller } from '../auth.mts';
import { ApiError } from '../errors.mts';
import type { Part } from '../request-log.mts';
import { pathnameOf } from '../receive.mts';
import type { World } from '../world.mts';
import { Refusal, refusal, sdkRefusal, unknownRoute } from './refusals.mts';
import type { SelfHostedForm } from './settings.mts';

export interface Call {
	caller: Caller;
	form: SelfHostedForm;
	params: Record<string, string>;
	query: unknown;
	body: unknown;
	parts: Part[] | null;
	/** Aborts if the connection ends before the response. */
	signal: AbortSignal;
	/** Closes the connection silently. */
	cut(): void;
}

export class Reply {
	constructor(
		readonly status: number,
		readonly body: unknown,
	) {}
}

interface Options {
	/** The API form with this endpoint; by default, both. Only the observed form has endpoints below `/sdk`. */
	form?: SelfHostedForm;
	newer?: boolean;
	status?: number;
	/** The documented 401 body; by default, the envelope. */
	unauthorized?(message: string): Record<string, unknown>;
}

/** A method, a path below `/api`, and the message of a response with status 500. */
type Endpoint = [method: HTTPMethods, path: string, failure: string, options?: Options];

interface Route extends Options {
	path: string;
	failure: string;
}

/** Adds an endpoint to a server. */
export type Add = (endpoint: Endpoint, handle: (call: Call) => unknown) => void;

export const HUNG_UP = Symbol('hung up');

export function addRoute(
	app: FastifyInstance,
	world: World,
	...[[method, path, failure, options = {}], handle]: Parameters<Add>
): void {
	const route: Route = { ...options, path, failure };
	app.route({
		method,
		url: path,
		handler: async (request, reply) => {
			const form = world.settings.selfHostedForm;
			if (!exists(route, world, request)) {
				const { selfHostedUnknownRoute } = world.settings;
				throw unknownRoute(selfHostedUnknownRoute, request.method, pathnameOf(request));
			}
			const gone = new AbortController();
			reply.raw.once('close', () => gone.abort());
			const call = {
				caller: admit(world, form, route, request),
				form,
				params: z.record(z.string()).parse(request.params),
				query: request.query,
				body: request.body,
				parts: request.formParts,
				signal: gone.signal,
				cut: () => request.raw.socket.destroy(),
			};
			const answer = await carryOut(route, async () => await handle(call));
			if (answer === HUNG_UP) return reply.hijack();
			if (answer instanceof Reply) return await reply.code(answer.status).send(answer.body);
			return await reply.code(route.status ?? 200).send(answer);
		},
	});
}

/** Whether the server has an endpoint: Maxun Cloud, or the current version of a self-hosted server. */
function exists(
	{ path, form, newer }: Route,
	{ settings }: World,
	request: FastifyRequest,
): boolean {
	const { hostedSdk, selfHostedForm, selfHostedSdk: version } = settings;
	if (isSdk(path) && isHosted(request)) return hostedSdk;
	if (!isSdk(path)) return form === undefined || form === selfHostedForm;
	if (selfHostedForm === 'documented' || version === 'none') return false;
	return newer !== true || version === 'newer';
}

/** Only Maxun Cloud's credential also sends this header. */
const isHosted = ({ headers }: FastifyRequest) => headers.authorization !== undefined;

const isSdk = (path: string) => path.startsWith('/sdk/');

/** Turns API errors (no credits, robot not ready) into a 500. */
async function carryOut(route: Route, work: () => Promise<unknown>): Promise<unknown> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		if (!isSdk(route.path)) throw refusal(500, 'error', route.failure);
		throw sdkRefusal(500, route.failure, { message: error.message });
	}
}

/** The owner of the key in `x-api-key`. Only Maxun Cloud reads the team ID. */
function admit(world: World, form: SelfHostedForm, route: Route, request: FastifyRequest): Caller {
	try {
		const { 'x-api-key': key, 'x-team-id': team } = request.headers;
		const own = { 'x-api-key': key, ...(isHosted(request) && { 'x-team-id': team }) };
		const caller = authenticate(own, world.state);
		if (!world.settings.selfHostedDatabaseDown) return caller;
	} catch (error) {
		if (error instanceof ApiError) throw unauthorized(form, route, error);
		throw error;
	}
	if (form === 'documented') throw refusal(500, 'error', route.failure);
	throw new Refusal(503, { error: 'Authentication service temporarily unavailable' });
}

function unauthorized(form: SelfHostedForm, route: Route, { status, message }: ApiError): Refusal {
	if (form === 'observed') return new Refusal(status, { error: message });
	if (route.unauthorized === undefined) return refusal(401, 'error', message);
	return new Refusal(401, route.unauthorized(message));
}
