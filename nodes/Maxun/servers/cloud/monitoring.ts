import { path, withoutEmpty, withoutUndefined } from '../../http/request';
import type { ServerConnection, ServerParts } from '../types';
import { Reply } from './response';

const monitoringOf = (robotId: string) => path`/robots/${robotId}/monitoring`;

export const monitoring = (api: ServerConnection): ServerParts['monitoring'] => ({
	get: async (robotId) => await api.get(monitoringOf(robotId), Reply),
	getDiff: async (runId, format) =>
		await api.get(path`/runs/${runId}/diff`, Reply, withoutEmpty({ format })),
	update: async (robotId, fields) =>
		await api.put(monitoringOf(robotId), Reply, withoutUndefined(fields)),
});
