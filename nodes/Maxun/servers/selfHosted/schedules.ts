import type { IDataObject } from 'n8n-workflow';
import { recover } from '../../http/fault';
import { path, withoutEmpty } from '../../http/request';
import { AnyObject } from '../entities';
import type { ServerConnection, ServerParts } from '../types';
import { order } from '../dates';
import { toSchedule } from '../sdk/translate';
import { listStoredRobots, readStoredRobot, robotOf, updateStoredRobot } from '../sdk/storedRobot';

// Earlier servers have no routes for schedules, but store the schedule with the robot.

/** The server requires these fields, which users may leave empty. */
const DEFAULTS = { startFrom: 'SUNDAY', atTimeStart: '00:00', atTimeEnd: '23:59' };

const scheduleOf = (robotId: string) => path`/robots/${robotId}/schedule`;

export const schedules = (api: ServerConnection): ServerParts['schedules'] => ({
	async delete(robotId) {
		await withFallback(
			async () => await api.delete(scheduleOf(robotId)),
			async () => void (await updateStoredRobot(api, robotId, { schedule: null })),
		);
	},
	get: async (robotId) =>
		await withFallback<IDataObject | null>(
			async () => await api.get(scheduleOf(robotId), AnyObject.nullable()),
			async () => {
				const { schedule } = await readStoredRobot(api, robotId);
				return schedule ? toSchedule(schedule) : null;
			},
		),
	async list() {
		const scheduled = (await listStoredRobots(api)).filter(({ schedule }) => schedule);
		const nextRun = ({ schedule }: (typeof scheduled)[number]) => order(schedule?.nextRunAt);
		return scheduled
			.sort((a, b) => nextRun(a) - nextRun(b))
			.map((stored) => robotOf(stored, api.timezone));
	},
	async set(robotId, { dayOfMonth, ...settings }) {
		const body: IDataObject = { ...DEFAULTS, ...withoutEmpty({ ...settings }) };
		if (dayOfMonth !== undefined) body.dayOfMonth = String(dayOfMonth);
		return await withFallback<IDataObject>(
			async () => await api.post(scheduleOf(robotId), AnyObject, body),
			async () => {
				const { schedule } = await updateStoredRobot(api, robotId, { schedule: body });
				return toSchedule(schedule ?? body);
			},
		);
	},
});

const withFallback = async <T>(documented: () => Promise<T>, earlier: () => Promise<T>) =>
	await recover(documented(), { missingRoute: earlier });
