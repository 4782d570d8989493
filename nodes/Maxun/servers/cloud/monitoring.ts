import { path, withoutEmpty, withoutUndefined } from '../../http/request';
import type { ServerConnection, ServerParts } from '../types';
import { Reply } from './response';

export const monitoring = ({ send }: ServerConnection): ServerParts['monitoring'] => ({
	get: async (robotId) =>
		await send({ method: 'GET', path: path`/robots/${robotId}/monitoring` }, Reply),
	getDiff: async (runId, format) =>
		await send(
			{ method: 'GET', path: path`/runs/${runId}/diff`, query: withoutEmpty({ format }) },
			Reply,
		),
	update: async (robotId, fields) =>
		await send(
			{
				method: 'PUT',
				path: path`/robots/${robotId}/monitoring`,
				body: withoutUndefined(fields),
			},
			Reply,
		),
});
