import { z } from 'zod';
import type { Caller } from '../auth.mts';
import { badRequest, conflict } from '../errors.mts';
import { type Format, isFinished, type Params, type Robot, type Run } from '../model.mts';
import { runSummary, runView } from '../views.mts';
import type { World } from '../world.mts';
import { formats, newestFirst, page, paging, runFilters } from './fields.mts';
import { deleted, findRobot, findRun, KINDS, runsOf } from './lookup.mts';
import type { Add } from './route.mts';

const robotRunsQuery = z.object({ ...paging, ...runFilters }).strict();
const runsQuery = z.object({ ...paging, ...runFilters, robotId: z.string().optional() }).strict();
type RunsQuery = z.infer<typeof runsQuery>;

const startBody = z
	.object({
		formats: formats.optional(),
		params: z.record(z.union([z.string(), z.number(), z.boolean()])).optional(),
	})
	.strict()
	.nullish();

export function runRoutes(add: Add, world: World): void {
	for (const kind of KINDS) {
		add(['POST', `/${kind}/:id/runs`, { body: startBody, status: 202, flat: true }], (call) =>
			start(world, call.caller, findRobot(world, call, kind), call.body ?? {}),
		);
		add(['GET', `/${kind}/:id/runs`, { query: robotRunsQuery }], (call) => {
			const robot = findRobot(world, call, kind);
			return list(runsOf(world, call.caller), { ...call.query, robotId: robot.id });
		});
	}
	add(['GET', '/runs', { query: runsQuery }], ({ caller, query }) =>
		list(runsOf(world, caller), query),
	);
	add(['GET', '/runs/active'], ({ caller }) =>
		newestFirst(runsOf(world, caller).filter((run) => !isFinished(run))).map(runSummary),
	);
	singleRoutes(add, world);
}

function singleRoutes(add: Add, world: World): void {
	add(['GET', '/runs/:runId'], (call) => runView(findRun(world, call)));
	add(['POST', '/runs/:runId/cancel'], (call) => {
		const run = findRun(world, call);
		world.runner.cancel(run);
		return runSummary(run);
	});
	add(['DELETE', '/runs/:runId'], (call) => {
		const run = findRun(world, call);
		if (!isFinished(run)) throw conflict(`The run is ${run.status}; cancel it first`);
		world.state.runs = world.state.runs.filter((other) => other !== run);
		world.store.touch();
		return deleted(world, run.id);
	});
}

function start(
	world: World,
	caller: Caller,
	robot: Robot,
	body: { formats?: Format[]; params?: Params },
): unknown {
	const accepted = [...Object.keys(robot.params), ...(robot.url === null ? [] : ['originUrl'])];
	const unknown = Object.keys(body.params ?? {}).find((name) => !accepted.includes(name));
	if (unknown !== undefined) {
		throw badRequest(`"params.${unknown}" is not an input parameter of this robot`);
	}
	if (body.formats !== undefined && robot.type === 'doc-extract') {
		throw badRequest('"formats" does not apply to document extract robots');
	}
	const run = world.runner.start(robot, { ...body, source: 'api', payer: caller.payer });
	const { id, status } = run;
	return { success: true, id, status, url: `${world.baseUrl}/runs/${id}` };
}

function list(runs: Run[], query: RunsQuery): unknown {
	return page(newestFirst(runs.filter((run) => matches(run, query))), query).map(runSummary);
}

function matches(run: Run, query: RunsQuery): boolean {
	const startedAt = Date.parse(run.startedAt ?? run.createdAt);
	return (
		(query.robotId === undefined || run.robotId === query.robotId) &&
		(query.status === undefined || query.status.includes(run.status)) &&
		(query.source === undefined || run.source === query.source) &&
		(query.hasChanges === undefined || run.hasChanges === query.hasChanges) &&
		(query.since === undefined || startedAt >= query.since) &&
		(query.until === undefined || startedAt <= query.until)
	);
}
