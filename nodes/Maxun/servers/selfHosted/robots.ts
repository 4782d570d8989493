import { path } from '../../http/request';
import { AnyObject, listOf, Robot } from '../entities';
import type { ServerConnection, ServerParts } from '../types';
import { newestFirst } from './dates';

export const robots = ({ send }: ServerConnection): ServerParts['robots'] => {
	// The server lists all robots, in no order.
	const all = async () =>
		newestFirst(await send({ method: 'GET', path: '/robots' }, listOf(Robot)), 'createdAt');
	return {
		duplicate: async (robotId, targetUrl) =>
			await send(
				{ method: 'POST', path: path`/robots/${robotId}/duplicate`, body: { targetUrl } },
				AnyObject,
			),
		get: async (robotId) => await send({ method: 'GET', path: path`/robots/${robotId}` }, Robot),
		list: async (_filter, limit) => (await all()).slice(0, limit),
		async page(text) {
			const wanted = text.toLowerCase();
			const entries = (await all()).filter(({ name }) => name.toLowerCase().includes(wanted));
			return { entries };
		},
	};
};
