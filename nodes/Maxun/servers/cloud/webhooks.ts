import { z } from 'zod';
import { path, withoutEmpty } from '../../http/request';
import { AnyObject, listOf } from '../entities';
import type { ServerConnection, ServerParts } from '../types';
import { Reply } from './response';

export const webhooks = ({ send }: ServerConnection): ServerParts['webhooks'] => ({
	create: async (robotId, fields) =>
		await send(
			{
				method: 'POST',
				path: path`/robots/${robotId}/webhooks`,
				body: withoutEmpty({ ...fields }),
			},
			Reply,
		),
	async delete(robotId, webhookId) {
		await send(
			{ method: 'DELETE', path: path`/robots/${robotId}/webhooks/${webhookId}` },
			z.unknown(),
		);
	},
	list: async (robotId) =>
		await send({ method: 'GET', path: path`/robots/${robotId}/webhooks` }, listOf(AnyObject)),
	test: async (robotId, webhookId) =>
		await send(
			{ method: 'POST', path: path`/robots/${robotId}/webhooks/${webhookId}/test` },
			z.unknown(),
		),
	update: async (robotId, webhookId, fields) =>
		await send(
			{
				method: 'PATCH',
				path: path`/robots/${robotId}/webhooks/${webhookId}`,
				body: withoutEmpty({ ...fields }),
			},
			Reply,
		),
});
