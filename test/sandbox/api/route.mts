import type { FastifyInstance, HTTPMethods } from 'fastify';
import { z } from 'zod';
import { type Caller, demand, type Right } from '../auth.mts';
import { ApiError, parse } from '../errors.mts';
import type { Part } from '../request-log.mts';

declare module 'fastify' {
	interface FastifyRequest {
		caller: Caller | null;
	}
}

type Schema<T> = z.ZodType<T, z.ZodTypeDef, unknown>;

export interface Call<Query, Body> {
	caller: Caller;
	params: Record<string, string>;
	query: Query;
	body: Body;
	parts: Part[] | null;
}

/** An endpoint: its input and handler. The method determines the required permission. */
export interface Route<Query = unknown, Body = unknown> {
	method: HTTPMethods;
	/** The path under `/api/v1`. */
	path: string;
	query?: Schema<Query>;
	body?: Schema<Body>;
	status?: number;
	/** Sends the response without the `{success, data}` envelope. */
	flat?: boolean;
	handle(call: Call<Query, Body>): unknown;
}

/** Rejects query parameters and fields. Allows an empty JSON object. */
const NOTHING = z.object({}).strict().nullish();

export const FORM_BODY = z.unknown();

/** An empty response. Ignores the route's status. */
export const NO_CONTENT = Symbol('no content');

export const BARE_SUCCESS = Symbol('bare success');

const RIGHTS: Partial<Record<string, Right>> = { GET: 'read', DELETE: 'delete' };

export function addRoute<Query, Body>(app: FastifyInstance, route: Route<Query, Body>): void;
export function addRoute(app: FastifyInstance, route: Route): void {
	app.route({
		method: route.method,
		url: route.path,
		handler: async (request, reply) => {
			const { caller } = request;
			if (caller === null) throw new ApiError(401, 'API key is missing');
			demand(caller, RIGHTS[String(route.method)] ?? 'write');
			const answer = await route.handle({
				caller,
				params: z.record(z.string()).parse(request.params),
				query: parse<unknown>(route.query ?? NOTHING, request.query),
				body: parse<unknown>(route.body ?? NOTHING, request.body),
				parts: request.formParts,
			});
			if (answer === NO_CONTENT) return await reply.code(204).send();
			reply.code(route.status ?? 200);
			if (answer === BARE_SUCCESS) return { success: true };
			return route.flat ? answer : { success: true, data: answer };
		},
	});
}
