import { z } from 'zod';
import { recover } from '../../http/fault';
import { path, withoutEmpty, withoutUndefined } from '../../http/request';
import { AnyObject, listOf } from '../entities';
import type { ServerConnection, ServerParts } from '../types';
import { Reply } from './response';

/** Tries a robot's route, then an agent's, in case the service doesn't find the agent under `/robots`. */
const onRobotOrAgent = async <T>(robotId: string, use: (root: string) => Promise<T>): Promise<T> =>
	await recover(use(path`/robots/${robotId}`), {
		notFound: async (fault) =>
			await recover(use(path`/agents/${robotId}`), {
				any: (other) => {
					throw other.status === 404 ? fault : other;
				},
			}),
	});

export const monitoring = (api: ServerConnection): ServerParts['monitoring'] => ({
	get: async (robotId) =>
		await onRobotOrAgent(robotId, async (root) => await api.get(`${root}/monitoring`, Reply)),
	getDiff: async (runId, format) =>
		await api.get(path`/runs/${runId}/diff`, Reply, withoutEmpty({ format })),
	update: async (robotId, fields) =>
		await onRobotOrAgent(
			robotId,
			async (root) => await api.put(`${root}/monitoring`, Reply, withoutUndefined(fields)),
		),
});

export const schedules = (api: ServerConnection): ServerParts['schedules'] => ({
	delete: async (robotId) =>
		await onRobotOrAgent(robotId, async (root) => await api.delete(`${root}/schedule`)),
	async get(robotId) {
		const schedule = await onRobotOrAgent(
			robotId,
			async (root) => await api.get(`${root}/schedule`, Reply),
		);
		return Object.keys(schedule).length > 0 ? schedule : null;
	},
	list: async () => await api.get('/schedules', listOf(AnyObject)),
	set: async (robotId, settings) =>
		await onRobotOrAgent(
			robotId,
			async (root) => await api.put(`${root}/schedule`, Reply, withoutEmpty({ ...settings })),
		),
});

export const webhooks = (api: ServerConnection): ServerParts['webhooks'] => {
	const webhooksOf = async <T>(robotId: string, use: (url: string) => Promise<T>, id?: string) =>
		await onRobotOrAgent(
			robotId,
			async (root) => await use(`${root}/webhooks${id === undefined ? '' : path`/${id}`}`),
		);
	return {
		create: async (robotId, fields) =>
			await webhooksOf(
				robotId,
				async (url) => await api.post(url, Reply, withoutEmpty({ ...fields })),
			),
		delete: async (robotId, id) =>
			await webhooksOf(robotId, async (url) => await api.delete(url), id),
		list: async (robotId) =>
			await webhooksOf(robotId, async (url) => await api.get(url, listOf(AnyObject))),
		test: async (robotId, id) =>
			await webhooksOf(robotId, async (url) => await api.post(`${url}/test`, z.unknown()), id),
		update: async (robotId, id, fields) =>
			await webhooksOf(
				robotId,
				async (url) => await api.patch(url, Reply, withoutEmpty({ ...fields })),
				id,
			),
	};
};
