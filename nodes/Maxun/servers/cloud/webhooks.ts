import { z } from 'zod';
import { path, withoutEmpty } from '../../http/request';
import { AnyObject, listOf } from '../entities';
import type { ServerConnection, ServerParts } from '../types';
import { Reply } from './response';

const webhooksOf = (robotId: string) => path`/robots/${robotId}/webhooks`;
const webhook = (robotId: string, id: string) => path`/robots/${robotId}/webhooks/${id}`;

export const webhooks = (api: ServerConnection): ServerParts['webhooks'] => ({
	create: async (robotId, fields) =>
		await api.post(webhooksOf(robotId), Reply, withoutEmpty({ ...fields })),
	delete: async (robotId, id) => await api.delete(webhook(robotId, id)),
	list: async (robotId) => await api.get(webhooksOf(robotId), listOf(AnyObject)),
	test: async (robotId, id) => await api.post(`${webhook(robotId, id)}/test`, z.unknown()),
	update: async (robotId, id, fields) =>
		await api.patch(webhook(robotId, id), Reply, withoutEmpty({ ...fields })),
});
