import { z } from 'zod';
import { badRequest, conflict, notFound } from '../errors.mts';
import { isFinished, type Monitoring, monitoringSchema, type Robot } from '../model.mts';
import { DIFF_FORMATS, foundDiffs } from '../monitor.mts';
import type { World } from '../world.mts';
import { monitoringFields } from './fields.mts';
import { findRobot, findRun, KINDS, touchRobot } from './lookup.mts';
import type { Add } from './route.mts';

const diffQuery = z.object({ format: z.enum(DIFF_FORMATS).optional() }).strict();

export function monitoringRoutes(add: Add, world: World): void {
	for (const kind of KINDS) {
		const path = `/${kind}/:id/monitoring`;
		add(['GET', path], (call) => findRobot(world, call, kind).monitoring);
		add(['PUT', path, { body: z.object(monitoringFields).strict() }], (call) => {
			const robot = findRobot(world, call, kind);
			mergeMonitoring(robot, call.body);
			touchRobot(world, robot);
			return robot.monitoring;
		});
	}
	add(['GET', '/runs/:runId/diff', { query: diffQuery }], (call) => {
		const run = findRun(world, call);
		if (!isFinished(run)) throw conflict(`The run is still ${run.status}`);
		const previous = world.state.runs.find(({ id }) => id === run.previousRunId);
		if (previous === undefined) throw notFound('A previous run to compare this one with');
		const { hasChanges, changedFormats } = run;
		const diffs = foundDiffs(previous, run, call.query.format);
		return { runId: run.id, previousRunId: previous.id, hasChanges, changedFormats, diffs };
	});
}

export function mergeMonitoring(robot: Robot, changes: Partial<Monitoring>): void {
	const merged = monitoringSchema.parse({ ...robot.monitoring, ...changes });
	if (merged.alertsEnabled && !merged.compareRuns) {
		throw badRequest('"alertsEnabled" requires "compareRuns" to be true');
	}
	robot.monitoring = merged;
}
