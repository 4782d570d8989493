import { z } from 'zod';
import { path, withoutEmpty } from '../../http/request';
import { AnyObject, listOf } from '../entities';
import type { ServerConnection, ServerParts } from '../types';
import { Reply } from './response';
import { settingsOf } from './settingsOf';

/** Uses one webhook, or all webhooks of a robot if there is no ID. */
const webhooksOf = async <T>(
	robotId: string,
	use: (url: string) => Promise<T>,
	id?: string,
): Promise<T> =>
	await settingsOf(
		robotId,
		async (root) => await use(`${root}/webhooks${id === undefined ? '' : path`/${id}`}`),
	);

export const webhooks = (api: ServerConnection): ServerParts['webhooks'] => ({
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
});
