import { DateTime } from 'luxon';
import type { Robot, Run } from '../model.mts';
import { inputsOf } from '../views.mts';
import type { World } from '../world.mts';
import { documentedData, observedRunData } from './data.mts';
import { secondId } from './ids.mts';
import { listedScreenshots } from './screenshots.mts';
import type { SelfHostedForm } from './settings.mts';

export function robotView(robot: Robot): Record<string, unknown> {
	return {
		id: robot.id,
		name: robot.name,
		createdAt: Date.parse(robot.createdAt),
		inputParameters: inputsOf(robot),
	};
}

/** A run in the self-hosted API's format. Always contains data. */
export function runView(world: World, run: Run): Record<string, unknown> {
	const { selfHostedForm: form } = world.settings;
	const robot = world.robotOf(run);
	return {
		id: secondId('run', run.id),
		status: statusOf(run, form),
		name: run.robotName,
		robotId: run.robotId,
		...datesOf(world, run),
		runId: run.id,
		...(form === 'observed' ? observedSource(world, run) : documentedSource(world, run)),
		...(form === 'observed'
			? { data: observedRunData(run, robot), screenshots: listedScreenshots(world, run) }
			: { data: documentedData(run), screenshot: run.screenshots[0] ?? null }),
		...run.overrides,
	};
}

/** A run's local start and end. The end is empty for unfinished runs and, on a real server, canceled runs. */
export function datesOf(world: World, run: Run): { startedAt: string; finishedAt: string } {
	const { selfHostedForm: form } = world.settings;
	const noEnd = run.finishedAt === null || (form === 'observed' && run.status === 'aborted');
	return {
		startedAt: localDate(world, run.startedAt ?? run.createdAt),
		finishedAt: noEnd ? '' : localDate(world, run.finishedAt ?? ''),
	};
}

/** A date in the server's locale, without a time zone, such as `11/21/2026, 9:05:07 AM`. */
export function localDate(world: World, moment: string): string {
	return DateTime.fromISO(moment, { zone: world.settings.selfHostedTimezone })
		.setLocale('en-US')
		.toFormat('M/d/yyyy, h:mm:ss a');
}

/** A real server's flags for a run's source. */
export function observedSource(world: World, run: Run): Record<string, unknown> {
	const scheduled = run.source === 'schedule';
	const flag = (source: Run['source']) => (scheduled ? null : run.source === source);
	return {
		runByUserId: scheduled ? null : userNumber(world, run.scope),
		runByScheduleId: scheduled ? secondId('schedule', run.robotId) : null,
		runByAPI: flag('api'),
		runBySDK: flag('sdk'),
		runByMCP: flag('mcp'),
		runByCLI: flag('cli'),
	};
}

/** The numeric user ID of a scope's owner; null for a team. */
export function userNumber({ state }: World, scope: string): number | null {
	const index = state.accounts.findIndex(({ id }) => scope === `user:${id}`);
	return index < 0 ? null : index + 1;
}

function documentedSource(world: World, run: Run): Record<string, unknown> {
	return {
		runByUserId: run.source === 'dashboard' ? userNumber(world, run.scope) : null,
		runByScheduleId: run.source === 'schedule' ? secondId('schedule', run.robotId) : null,
		runByAPI: run.source === 'api',
	};
}

/** On a real server, a scheduled run waits as `scheduled`. */
export function statusOf(run: Run, form: SelfHostedForm): string {
	const waits = form === 'observed' && run.status === 'queued' && run.source === 'schedule';
	return waits ? 'scheduled' : run.status;
}
