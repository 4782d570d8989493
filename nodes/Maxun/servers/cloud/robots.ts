import { z } from 'zod';
import { path, withoutEmpty } from '../../http/request';
import { listOf, Robot } from '../entities';
import type { ServerConnection, ServerParts } from '../types';
import { pageOf, readPages } from './paging';
import { Reply } from './response';

export const Robots = listOf(Robot);

export const robots = ({ send }: ServerConnection): ServerParts['robots'] => ({
	create: async (type, body) =>
		await send({ method: 'POST', path: `/robots/${type}`, body }, Reply),
	createFromDocument: async (kind, body) =>
		await send({ method: 'POST', path: `/robots/document-${kind}`, body }, Reply),
	async delete(robotId) {
		await send({ method: 'DELETE', path: path`/robots/${robotId}` }, z.unknown());
	},
	duplicate: async (robotId, url, name) =>
		await send(
			{
				method: 'POST',
				path: path`/robots/${robotId}/duplicate`,
				body: withoutEmpty({ url, name }),
			},
			Reply,
		),
	find: async (q, limit) =>
		await send({ method: 'GET', path: '/robots', query: withoutEmpty({ q, limit }) }, Robots),
	get: async (robotId) => await send({ method: 'GET', path: path`/robots/${robotId}` }, Robot),
	list: async (filter, limit) =>
		await readPages(
			limit,
			async (page) =>
				await send(
					{ method: 'GET', path: '/robots', query: { ...withoutEmpty({ ...filter }), ...page } },
					Robots,
				),
		),
	page: async (q, offset) =>
		await pageOf(
			offset,
			async (page) =>
				await send({ method: 'GET', path: '/robots', query: withoutEmpty({ q, ...page }) }, Robots),
		),
	replaceDocument: async (robotId, body) =>
		await send({ method: 'PUT', path: path`/robots/${robotId}/document`, body }, Reply),
	update: async (robotId, body) =>
		await send({ method: 'PATCH', path: path`/robots/${robotId}`, body }, Reply),
	updateDocumentPrompt: async (robotId, prompt) =>
		await send(
			{ method: 'PATCH', path: path`/robots/${robotId}/document-prompt`, body: { prompt } },
			Reply,
		),
});
