import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, faultAnswer } from './faults.mts';
import { pathBelow } from './receive.mts';
import type { World } from './world.mts';

const answerFaults = new WeakMap<FastifyRequest, Fault>();

/**
 * Applies the injected faults before a request runs or to its response.
 * @param root the base path that fault patterns omit
 * @param errorBody the default body for `status` faults
 */
export function strike(
	app: FastifyInstance,
	world: World,
	root: string,
	errorBody: (status: number) => unknown,
): void {
	app.addHook('preHandler', async (request, reply) => {
		const fault = world.faults.take(request.method, pathBelow(root, request));
		if (fault === undefined) return;
		if (fault.kind === 'delay') {
			await sleep(fault.milliseconds);
		} else if (fault.before && (fault.kind === 'reset' || fault.kind === 'truncate')) {
			reply.hijack();
			breakOff(fault, reply, faultAnswer(fault, errorBody).text);
		} else {
			answerFaults.set(request, fault);
			if (fault.before) reply.send({});
		}
	});
	// A broken response never calls `done`, so Fastify doesn't send anything else.
	app.addHook('onSend', (request, reply, payload, done) => {
		const fault = answerFaults.get(request);
		if (fault === undefined) return done(null, payload);
		if (fault.kind === 'reset' || fault.kind === 'truncate') {
			return breakOff(fault, reply, String(payload));
		}
		const { status, contentType, text } = faultAnswer(fault, errorBody);
		reply.code(status).type(contentType).headers(fault.headers).removeHeader('content-length');
		done(null, text);
	});
}

function breakOff({ kind }: Fault, reply: FastifyReply, text: string): void {
	const { socket } = reply.request.raw;
	if (kind === 'reset') {
		socket.destroy();
		return;
	}
	const bytes = Buffer.from(text);
	reply.raw.writeHead(reply.statusCode, {
		'content-type': 'application/json; charset=utf-8',
		'content-length': bytes.length,
	});
	reply.raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => socket.destroy());
}
