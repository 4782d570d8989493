import type { FastifyInstance, HTTPMethods } from 'fastify';
import { z } from 'zod';
import { type Caller, demand, type Right } from '../auth.mts';
import { ApiError, parse } from '../errors.mts';
import type { Part } from '../request-log.mts';

declare module 'fastify' {
	interface FastifyRequest {
		caller: Caller | null;
		/** The parts of a multipart body. */
		formParts: Part[] | null;
	}
}

type Schema<T> = z.ZodType<T, z.ZodTypeDef, unknown>;

/** A request that is allowed and well formed. */
export interface Call<Query, Body> {
	caller: Caller;
	params: Record<string, string>;
	query: Query;
	body: Body;
	/** The parts of a multipart body; null for any other. */
	parts: Part[] | null;
}

/** One endpoint: what it needs, what it accepts, what it does. */
export interface Route<Query, Body> {
	method: HTTPMethods;
	/** Path below `/api/v1`. */
	path: string;
	needs: Right;
	query: Schema<Query>;
	body: Schema<Body>;
	/** Status of success; 200 when left out. */
	status?: number;
	/** The answer is sent as it is, without the `{success, data}` envelope. */
	flat?: boolean;
	handle(call: Call<Query, Body>): unknown;
}

/** For endpoints without query parameters. */
export const NO_QUERY = z.object({}).strict();

/** For endpoints without a body; an empty JSON object is let pass. */
export const NO_BODY = z
	.object({})
	.strict()
	.nullish()
	.transform(() => null);

/** For endpoints that take a multipart body. */
export const FORM_BODY = z.unknown();

/** An answer without content, whatever the route's status. */
export const NO_CONTENT = Symbol('no content');

/** An answer that is `{success: true}` and nothing else. */
export const BARE_SUCCESS = Symbol('bare success');

/** Adds an endpoint to the API. */
export function addRoute<Query, Body>(app: FastifyInstance, route: Route<Query, Body>): void {
	app.route({
		method: route.method,
		url: route.path,
		handler: async (request, reply) => {
			const { caller } = request;
			if (caller === null) throw new ApiError(401, 'API key is missing');
			demand(caller, route.needs);
			const answer = await route.handle({
				caller,
				params: z.record(z.string()).parse(request.params),
				query: parse(route.query, request.query),
				body: parse(route.body, request.body),
				parts: request.formParts,
			});
			if (answer === NO_CONTENT) return await reply.code(204).send();
			reply.code(route.status ?? 200);
			if (answer === BARE_SUCCESS) return { success: true };
			return route.flat ? answer : { success: true, data: answer };
		},
	});
}
