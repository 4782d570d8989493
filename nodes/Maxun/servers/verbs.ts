import { z } from 'zod';
import type { ServerConnection } from './types';

/** The methods of a connection that send a request, each in terms of `send`. */
export const verbsOf = (
	send: ServerConnection['send'],
): Pick<ServerConnection, 'send' | 'get' | 'post' | 'put' | 'patch' | 'delete'> => ({
	send,
	get: async (path, schema, query) => await send({ method: 'GET', path, query }, schema),
	post: async (path, schema, body) => await send({ method: 'POST', path, body }, schema),
	put: async (path, schema, body) => await send({ method: 'PUT', path, body }, schema),
	patch: async (path, schema, body) => await send({ method: 'PATCH', path, body }, schema),
	async delete(path) {
		await send({ method: 'DELETE', path }, z.unknown());
	},
});
