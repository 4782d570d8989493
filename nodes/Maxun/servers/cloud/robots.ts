import { documentForm } from '../../http/multipart';
import { path, withoutEmpty } from '../../http/request';
import { about, copyOf, pageOf, Robot } from '../entities';
import type { ServerConnection, ServerParts } from '../types';
import { pagesOf, readPage, readPages } from './paging';
import { NewEntry, Reply } from './response';
import { listRuns, startOrFind } from './runs';

const Robots = pageOf(Robot);

export const robots = (api: ServerConnection): ServerParts['robots'] => ({
	create: async (type, fields) => await api.post(`/robots/${type}`, NewEntry, fields),
	createFromDocument: async (kind, document, fields) =>
		await api.post(`/robots/document-${kind}`, NewEntry, documentForm(document, { ...fields })),
	delete: async (robotId) => await api.delete(path`/robots/${robotId}`),
	async duplicate(robotId, url, name) {
		const route = path`/robots/${robotId}/duplicate`;
		return await api.post(route, copyOf(NewEntry, robotId), withoutEmpty({ url, name }));
	},
	get: async (robotId) => await api.get(path`/robots/${robotId}`, about(Robot, { id: robotId })),
	list: async (filter, limit) =>
		await readPages(limit, api.concurrency, pagesOf(api, '/robots', Robots, { ...filter })),
	page: async (q, offset, type) =>
		await readPage(offset, pagesOf(api, '/robots', Robots, { q, type })),
	rename: async (robotId, name) => await api.patch(path`/robots/${robotId}`, Reply, { name }),
	replaceDocument: async (robotId, form) =>
		await api.put(path`/robots/${robotId}/document`, Reply, form),
	update: async (robotId, fields) => await api.patch(path`/robots/${robotId}`, Reply, fields),
	updateDocumentPrompt: async (robotId, prompt) =>
		await api.patch(path`/robots/${robotId}/document-prompt`, Reply, { prompt }),
});

export const agents = (api: ServerConnection): ServerParts['agents'] => ({
	create: async (fields) => await api.post('/agents', NewEntry, fields),
	delete: async (agentId) => await api.delete(path`/agents/${agentId}`),
	get: async (agentId) => await api.get(path`/agents/${agentId}`, about(Robot, { id: agentId })),
	list: async (limit) => await readPages(limit, api.concurrency, pagesOf(api, '/agents', Robots)),
	listRuns: async (agentId, filter, limit) =>
		await listRuns(api, path`/agents/${agentId}/runs`, filter, limit),
	rename: async (agentId, name) => await api.patch(path`/agents/${agentId}`, Reply, { name }),
	startRun: async (agentId, options) =>
		await startOrFind(api, path`/agents/${agentId}/runs`, options),
});
