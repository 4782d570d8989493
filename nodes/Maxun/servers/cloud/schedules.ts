import { z } from 'zod';
import { path, withoutEmpty } from '../../http/request';
import { AnyObject, listOf } from '../entities';
import type { ServerConnection, ServerParts } from '../types';
import { Reply } from './response';

export const schedules = ({ send }: ServerConnection): ServerParts['schedules'] => ({
	async delete(robotId) {
		await send({ method: 'DELETE', path: path`/robots/${robotId}/schedule` }, z.unknown());
	},
	async get(robotId) {
		const schedule = await send({ method: 'GET', path: path`/robots/${robotId}/schedule` }, Reply);
		return Object.keys(schedule).length > 0 ? schedule : null;
	},
	list: async () => await send({ method: 'GET', path: '/schedules' }, listOf(AnyObject)),
	set: async (robotId, settings) =>
		await send(
			{
				method: 'PUT',
				path: path`/robots/${robotId}/schedule`,
				body: withoutEmpty({ ...settings }),
			},
			Reply,
		),
});
