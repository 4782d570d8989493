import { withoutEmpty } from '../../http/request';
import { AnyObject, listOf } from '../entities';
import type { ServerConnection, ServerParts } from '../types';
import { Reply } from './response';
import { settingsOf } from './settingsOf';

export const schedules = (api: ServerConnection): ServerParts['schedules'] => ({
	delete: async (robotId) =>
		await settingsOf(robotId, async (root) => await api.delete(`${root}/schedule`)),
	async get(robotId) {
		const schedule = await settingsOf(
			robotId,
			async (root) => await api.get(`${root}/schedule`, Reply),
		);
		return Object.keys(schedule).length > 0 ? schedule : null;
	},
	list: async () => await api.get('/schedules', listOf(AnyObject)),
	set: async (robotId, settings) =>
		await settingsOf(
			robotId,
			async (root) => await api.put(`${root}/schedule`, Reply, withoutEmpty({ ...settings })),
		),
});
