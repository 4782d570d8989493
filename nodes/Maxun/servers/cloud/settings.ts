import { z } from 'zod';
import { recover } from '../../http/fault';
import { path, withoutEmpty, withoutUndefined } from '../../http/request';
import { AnyObject, listOf } from '../entities';
import type { ServerConnection, ServerParts } from '../types';
import { Reply } from './response';

/** Tries a robot's route, then an agent's, in case the service doesn't find the agent under `/robots`. */
const onRobotOrAgent = async <T>(
	robotId: string,
	route: string,
	use: (url: string) => Promise<T>,
): Promise<T> =>
	await recover(use(path`/robots/${robotId}` + route), {
		notFound: async (fault) =>
			await recover(use(path`/agents/${robotId}` + route), {
				any: (other) => {
					throw other.status === 404 ? fault : other;
				},
			}),
	});

export const monitoring = (api: ServerConnection): ServerParts['monitoring'] => ({
	get: async (robotId) =>
		await onRobotOrAgent(robotId, '/monitoring', async (url) => await api.get(url, Reply)),
	getDiff: async (runId, format) =>
		await api.get(path`/runs/${runId}/diff`, Reply, withoutEmpty({ format })),
	async update(robotId, fields) {
		const body = withoutUndefined(fields);
		return await onRobotOrAgent(
			robotId,
			'/monitoring',
			async (url) => await api.put(url, Reply, body),
		);
	},
});

const SCHEDULE = '/schedule';

export const schedules = (api: ServerConnection): ServerParts['schedules'] => ({
	delete: async (robotId) =>
		await onRobotOrAgent(robotId, SCHEDULE, async (url) => await api.delete(url)),
	async get(robotId) {
		const read = async (url: string) => await api.get(url, Reply);
		const schedule = await onRobotOrAgent(robotId, SCHEDULE, read);
		return Object.keys(schedule).length > 0 ? schedule : null;
	},
	list: async () => await api.get('/schedules', listOf(AnyObject)),
	async set(robotId, settings) {
		const body = withoutEmpty({ ...settings });
		return await onRobotOrAgent(robotId, SCHEDULE, async (url) => await api.put(url, Reply, body));
	},
});

const WEBHOOKS = '/webhooks';

export const webhooks = (api: ServerConnection): ServerParts['webhooks'] => ({
	async create(robotId, fields) {
		const body = withoutEmpty({ ...fields });
		return await onRobotOrAgent(robotId, WEBHOOKS, async (url) => await api.post(url, Reply, body));
	},
	delete: async (robotId, id) =>
		await onRobotOrAgent(robotId, path`/webhooks/${id}`, async (url) => await api.delete(url)),
	list: async (robotId) =>
		await onRobotOrAgent(robotId, WEBHOOKS, async (url) => await api.get(url, listOf(AnyObject))),
	async test(robotId, id) {
		const route = path`/webhooks/${id}/test`;
		return await onRobotOrAgent(robotId, route, async (url) => await api.post(url, z.unknown()));
	},
	async update(robotId, id, fields) {
		const body = withoutEmpty({ ...fields });
		const route = path`/webhooks/${id}`;
		return await onRobotOrAgent(robotId, route, async (url) => await api.patch(url, Reply, body));
	},
});
