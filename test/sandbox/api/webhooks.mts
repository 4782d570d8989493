import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { badRequest } from '../errors.mts';
import { type Webhook, WEBHOOK_EVENTS } from '../model.mts';
import type { World } from '../world.mts';
import { isHttpUrl } from './fields.mts';
import { deleted, findRobot, findWebhook, type Kind, KINDS, touchRobot } from './lookup.mts';
import type { Add } from './route.mts';

const MOST_WEBHOOKS = 10;

const createBody = z
	.object({
		url: z.string().refine(isHttpUrl, 'must be an http or https URL'),
		events: z
			.array(z.enum(WEBHOOK_EVENTS))
			.min(1, 'must name at least one event')
			.refine((list) => new Set(list).size === list.length, 'must not repeat an event')
			.default([...WEBHOOK_EVENTS]),
		active: z.boolean().default(true),
		retryAttempts: z.number().int().min(1).max(10).default(3),
		retryDelay: z.number().int().min(0).default(5),
		timeout: z.number().int().min(1).max(120).default(30),
	})
	.strict();

/** Missing fields aren't changed. */
const updateBody = createBody.partial();

export function webhookRoutes(add: Add, world: World): void {
	for (const kind of KINDS) {
		collectionRoutes(add, world, kind);
		singleRoutes(add, world, kind);
	}
}

function collectionRoutes(add: Add, world: World, kind: Kind): void {
	const path = `/${kind}/:id/webhooks`;
	add(['GET', path], (call) => findRobot(world, call, kind).webhooks);
	add(['POST', path, { body: createBody, status: 201 }], (call) => {
		const robot = findRobot(world, call, kind);
		demandReachable(world, call.body.url);
		if (robot.webhooks.length >= MOST_WEBHOOKS) {
			throw badRequest(`A robot has at most ${MOST_WEBHOOKS} webhooks; delete one first`);
		}
		const createdAt = new Date().toISOString();
		const stamps = { createdAt, updatedAt: createdAt, lastCalledAt: null };
		const webhook: Webhook = { id: randomUUID(), ...call.body, ...stamps };
		robot.webhooks.push(webhook);
		touchRobot(world, robot);
		return webhook;
	});
}

function singleRoutes(add: Add, world: World, kind: Kind): void {
	const path = `/${kind}/:id/webhooks/:webhookId`;
	add(['PATCH', path, { body: updateBody }], (call) => {
		const robot = findRobot(world, call, kind);
		const webhook = findWebhook(robot, call);
		const { body } = call;
		if (body.url !== undefined) demandReachable(world, body.url);
		Object.assign(webhook, body, { updatedAt: new Date().toISOString() });
		touchRobot(world, robot);
		return webhook;
	});
	add(['DELETE', path], (call) => {
		const robot = findRobot(world, call, kind);
		const webhook = findWebhook(robot, call);
		robot.webhooks = robot.webhooks.filter((other) => other !== webhook);
		touchRobot(world, robot);
		return deleted(world, webhook.id);
	});
	add(['POST', `${path}/test`], async (call) => {
		const robot = findRobot(world, call, kind);
		const webhook = findWebhook(robot, call);
		const { accepted, status, error } = await world.deliveries.test(robot, webhook);
		return { delivered: accepted, statusCode: status ?? null, error: error ?? null };
	});
}

/** Hosts that a service on the internet can't reach. */
const PRIVATE = /^(localhost$|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[)/;

function demandReachable(world: World, url: string): void {
	if (world.settings.allowPrivateWebhooks || !PRIVATE.test(new URL(url).hostname)) return;
	throw badRequest('"url" must be public: the service cannot reach private addresses');
}
