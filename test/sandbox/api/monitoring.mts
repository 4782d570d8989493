import { badRequest } from '../errors.mts';
import type { Monitoring, Robot } from '../model.mts';

/**
 * Sets the given monitoring fields of a robot and keeps the others.
 * @throws ApiError 400 when alerts are on and runs are not compared
 */
export function mergeMonitoring(robot: Robot, changes: Partial<Monitoring>): void {
	const { monitoring } = robot;
	const merged: Monitoring = {
		compareRuns: changes.compareRuns ?? monitoring.compareRuns,
		monitoringPrompt:
			changes.monitoringPrompt === undefined
				? monitoring.monitoringPrompt
				: changes.monitoringPrompt,
		alertsEnabled: changes.alertsEnabled ?? monitoring.alertsEnabled,
		alertEmail: changes.alertEmail === undefined ? monitoring.alertEmail : changes.alertEmail,
	};
	if (merged.alertsEnabled && !merged.compareRuns) {
		throw badRequest('"alertsEnabled" requires "compareRuns" to be true');
	}
	robot.monitoring = merged;
}
