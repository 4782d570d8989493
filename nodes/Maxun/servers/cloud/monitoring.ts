import { path, withoutEmpty, withoutUndefined } from '../../http/request';
import type { ServerConnection, ServerParts } from '../types';
import { Reply } from './response';
import { settingsOf } from './settingsOf';

export const monitoring = (api: ServerConnection): ServerParts['monitoring'] => ({
	get: async (robotId) =>
		await settingsOf(robotId, async (root) => await api.get(`${root}/monitoring`, Reply)),
	getDiff: async (runId, format) =>
		await api.get(path`/runs/${runId}/diff`, Reply, withoutEmpty({ format })),
	update: async (robotId, fields) =>
		await settingsOf(
			robotId,
			async (root) => await api.put(`${root}/monitoring`, Reply, withoutUndefined(fields)),
		),
});
