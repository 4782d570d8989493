import type { IDataObject } from 'n8n-workflow';
import { Anything } from '../entities';
import { MaxunFault } from '../fault';
import { definedFields, path, type ApiRequest, type Call } from '../request';
import { scheduleOf } from './entities';
import { getStoredRobot, StoredRobot, updateStoredRobot } from './sdk';

// Later servers have routes for schedules, earlier ones take them as a part of the robot. Which one it is shows in
// the answer to a route that is not there.

/** When a robot is to run. */
export interface ScheduleSettings {
	runEvery: number;
	runEveryUnit: string;
	timezone: string;
	startFrom?: string;
	atTimeStart?: string;
	atTimeEnd?: string;
	dayOfMonth?: number;
}

/** Values of the fields that the server demands and the user may leave empty. */
const DEFAULTS = { startFrom: 'SUNDAY', atTimeStart: '00:00', atTimeEnd: '23:59' };

const request = (method: 'GET' | 'POST' | 'DELETE', robotId: string): ApiRequest => ({
	method,
	path: path`/robots/${robotId}/schedule`,
});

/** Sets the schedule of a robot, in place of the one it may have. @returns it with cron expression and next run */
export async function setSchedule(
	call: Call,
	robotId: string,
	{ dayOfMonth, ...settings }: ScheduleSettings,
): Promise<IDataObject> {
	const body: IDataObject = { ...DEFAULTS, ...definedFields({ ...settings }) };
	if (dayOfMonth !== undefined) body.dayOfMonth = String(dayOfMonth);
	return await eitherWay(
		async () => await call({ ...request('POST', robotId), body }, Anything),
		async () => {
			const update = updateStoredRobot(robotId, { schedule: body });
			const { schedule } = await call(update, StoredRobot);
			return scheduleOf(schedule ?? body);
		},
	);
}

/** The schedule of a robot; null where it has none. */
export async function getSchedule(call: Call, robotId: string): Promise<IDataObject | null> {
	return await eitherWay(
		async () => await call(request('GET', robotId), Anything.nullable()),
		async () => {
			const { schedule } = await call(getStoredRobot(robotId), StoredRobot);
			return schedule ? scheduleOf(schedule) : null;
		},
	);
}

/** Takes the schedule from a robot, where it has one. */
export async function deleteSchedule(call: Call, robotId: string): Promise<void> {
	await eitherWay(
		async () => await call(request('DELETE', robotId), Anything.nullable()),
		async () => await call(updateStoredRobot(robotId, { schedule: null }), StoredRobot),
	);
}

/** Goes the documented way, or the earlier one where the server does not have that. */
async function eitherWay<A, B>(documented: () => Promise<A>, earlier: () => Promise<B>) {
	return await documented().catch(async (fault: unknown) => {
		if (!isRouteMissing(fault)) throw fault;
		return await earlier().catch((other: unknown) => {
			throw isRouteMissing(other) ? fault : other; // the first one names what is missing
		});
	});
}

const isRouteMissing = (fault: unknown) => fault instanceof MaxunFault && fault.missingRoute;
