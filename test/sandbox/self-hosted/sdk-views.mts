import type { Robot, Run, Schedule } from '../model.mts';
import type { World } from '../world.mts';
import { secondId } from './ids.mts';
import { datesOf, observedSource, userNumber } from './views.mts';

const NO_INTEGRATIONS = {
	google_sheet_email: null,
	google_sheet_name: null,
	google_sheet_id: null,
	google_access_token: null,
	google_refresh_token: null,
	airtable_base_id: null,
	airtable_base_name: null,
	airtable_table_name: null,
	airtable_table_id: null,
	airtable_access_token: null,
	airtable_refresh_token: null,
};

/** A robot in `/api/sdk` format: the server's record, where the robot ID is in the recording. */
export function sdkRobotView(world: World, robot: Robot): Record<string, unknown> {
	return {
		id: secondId('robot', robot.id),
		userId: userNumber(world, robot.scope),
		recording_meta: {
			id: robot.id,
			url: robot.url,
			name: robot.name,
			type: robot.type,
			pairs: 0,
			params: Object.keys(robot.params),
			formats: robot.formats,
			createdAt: robot.createdAt,
			updatedAt: robot.updatedAt,
		},
		recording: { workflow: [] },
		...NO_INTEGRATIONS,
		schedule: robot.schedule === null ? null : sdkScheduleView(robot.schedule),
		webhooks: robot.webhooks,
	};
}

/** An aborted run in `/api/sdk` format, without data. */
export function abortedRunView(world: World, run: Run): Record<string, unknown> {
	return {
		id: secondId('run', run.id),
		status: run.status,
		name: run.robotName,
		robotId: secondId('robot', run.robotId),
		robotMetaId: run.robotId,
		...datesOf(world, run),
		browserId: secondId('browser', run.id),
		interpreterSettings: { debug: true, maxRepeats: 1, maxConcurrency: 1 },
		log: '',
		runId: run.id,
		...observedSource(world, run),
		serializableOutput: {},
		binaryOutput: {},
		retryCount: 0,
	};
}

function sdkScheduleView(schedule: Schedule): Record<string, unknown> {
	const everyMinute = schedule.runEveryUnit === 'MINUTES' && schedule.runEvery === 1;
	return {
		...schedule,
		atTimeEnd: schedule.atTimeEnd ?? '23:59',
		// The real server's notation for every minute.
		...(everyMinute && { cronExpression: '*/1 * * * *' }),
	};
}
