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

interface Options<Query, Body> {
	query?: Schema<Query>;
	body?: Schema<Body>;
	status?: number;
	/** Sends the response without the `{success, data}` envelope. */
	flat?: boolean;
}

/** An endpoint. The method determines the required permission, and the path is below `/api/v1`. */
type Route<Query, Body> = [method: HTTPMethods, path: string, options?: Options<Query, Body>];

/** Rejects query parameters and fields. Allows an empty JSON object. */
const NOTHING = z.object({}).strict().nullish();

export const FORM_BODY = z.unknown();

/** An empty response. Ignores the route's status. */
export const NO_CONTENT = Symbol('no content');

export const BARE_SUCCESS = Symbol('bare success');

/** Adds an endpoint to a server. */
export type Add = <Query, Body>(
	route: Route<Query, Body>,
	handle: (call: Call<Query, Body>) => unknown,
) => void;

const RIGHTS: Partial<Record<string, Right>> = { GET: 'read', DELETE: 'delete' };

export function addRoute<Query, Body>(
	app: FastifyInstance,
	route: Route<Query, Body>,
	handle: (call: Call<Query, Body>) => unknown,
): void;
export function addRoute(
	app: FastifyInstance,
	[method, url, options = {}]: Route<unknown, unknown>,
	handle: (call: Call<unknown, unknown>) => unknown,
): void {
	const { query, body, status = 200, flat } = options;
	app.route({
		method,
		url,
		handler: async (request, reply) => {
			const { caller } = request;
			if (caller === null) throw new ApiError(401, 'API key is missing');
			demand(caller, RIGHTS[String(method)] ?? 'write');
			const answer = await handle({
				caller,
				params: z.record(z.string()).parse(request.params),
				query: parse<unknown>(query ?? NOTHING, request.query),
				body: parse<unknown>(body ?? NOTHING, request.body),
				parts: request.formParts,
			});
			if (answer === NO_CONTENT) return await reply.code(204).send();
			reply.code(status);
			if (answer === BARE_SUCCESS) return { success: true };
			return flat ? answer : { success: true, data: answer };
		},
	});
}
