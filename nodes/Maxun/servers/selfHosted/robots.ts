import { path } from '../../http/request';
import { AnyObject, listOf, Robot } from '../entities';
import type { ServerConnection, ServerParts } from '../types';
import { newestFirst } from './dates';

export const robots = (api: ServerConnection): ServerParts['robots'] => {
	// The server lists all robots, in no particular order.
	const all = async () => newestFirst(await api.get('/robots', listOf(Robot)), 'createdAt');
	return {
		duplicate: async (robotId, targetUrl) =>
			(await api.post(path`/robots/${robotId}/duplicate`, AnyObject.nullable(), { targetUrl })) ??
			{},
		get: async (robotId) => await api.get(path`/robots/${robotId}`, Robot),
		list: async (_filter, limit) => (await all()).slice(0, limit),
		async page(text) {
			const wanted = text.toLowerCase();
			const entries = (await all()).filter(({ name, type = '', status = '' }) =>
				[name, type, status].some((field) => field.toLowerCase().includes(wanted)),
			);
			return { entries };
		},
	};
};
