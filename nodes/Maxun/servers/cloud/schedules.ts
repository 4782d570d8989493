import { path, withoutEmpty } from '../../http/request';
import { AnyObject, listOf } from '../entities';
import type { ServerConnection, ServerParts } from '../types';
import { Reply } from './response';

const scheduleOf = (robotId: string) => path`/robots/${robotId}/schedule`;

export const schedules = (api: ServerConnection): ServerParts['schedules'] => ({
	delete: async (robotId) => await api.delete(scheduleOf(robotId)),
	async get(robotId) {
		const schedule = await api.get(scheduleOf(robotId), Reply);
		return Object.keys(schedule).length > 0 ? schedule : null;
	},
	list: async () => await api.get('/schedules', listOf(AnyObject)),
	set: async (robotId, settings) =>
		await api.put(scheduleOf(robotId), Reply, withoutEmpty({ ...settings })),
});
