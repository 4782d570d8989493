import { z } from 'zod';
import { recover } from '../../http/fault';
import { path, withoutEmpty, withoutUndefined } from '../../http/request';
import type { ApiRequest, ResponseSchema } from '../../http/request';
import { Sender } from '../../http/sender';
import { about, AnyEntry, listOf } from '../entities';
import type { ServerConnection, ServerParts } from '../types';
import { Entry } from './response';

/** A robot's routes. An agent has its own, in case the service doesn't find it under `/robots`. */
class RobotRoutes extends Sender {
	constructor(
		private readonly api: ServerConnection,
		private readonly robotId: string,
	) {
		super();
	}

	async send<T>(request: ApiRequest, schema: ResponseSchema<T>): Promise<T> {
		const { api, robotId } = this;
		const sendTo = async (root: string) =>
			await api.send({ ...request, path: root + request.path }, schema);
		return await recover(sendTo(path`/robots/${robotId}`), {
			notFound: async (fault) =>
				await recover(sendTo(path`/agents/${robotId}`), {
					any: (other) => {
						throw other.status === 404 ? fault : other;
					},
				}),
		});
	}
}

const routesOn = (api: ServerConnection) => (robotId: string) => new RobotRoutes(api, robotId);

export function monitoring(api: ServerConnection): ServerParts['monitoring'] {
	const on = routesOn(api);
	return {
		get: async (robotId) => await on(robotId).get('/monitoring', Entry),
		getDiff: async (runId, format) =>
			await api.get(path`/runs/${runId}/diff`, about(Entry, { runId }), withoutEmpty({ format })),
		update: async (robotId, fields) =>
			await on(robotId).put('/monitoring', Entry, withoutUndefined(fields)),
	};
}

export function schedules(api: ServerConnection): ServerParts['schedules'] {
	const on = routesOn(api);
	return {
		delete: async (robotId) => await on(robotId).delete('/schedule'),
		get: async (robotId) => await on(robotId).get('/schedule', z.null().or(Entry)),
		list: async () => await api.get('/schedules', listOf(AnyEntry)),
		set: async (robotId, settings) =>
			await on(robotId).put('/schedule', Entry, withoutEmpty(settings)),
	};
}

export function webhooks(api: ServerConnection): ServerParts['webhooks'] {
	const on = routesOn(api);
	return {
		create: async (robotId, fields) =>
			await on(robotId).post('/webhooks', Entry, withoutEmpty({ ...fields })),
		delete: async (robotId, id) => await on(robotId).delete(path`/webhooks/${id}`),
		list: async (robotId) =>
			(await on(robotId).get('/webhooks', listOf(AnyEntry).nullable())) ?? [],
		test: async (robotId, id) => await on(robotId).post(path`/webhooks/${id}/test`, z.unknown()),
		update: async (robotId, id, fields) =>
			await on(robotId).patch(path`/webhooks/${id}`, Entry, withoutEmpty({ ...fields })),
	};
}
