import { z } from 'zod';
import { FORMATS, type Format, isFinished, type Robot, type Run } from '../model.mts';
import type { World } from '../world.mts';
import { sdkRefusal } from './refusals.mts';
import { robotAt, runAt } from './lookup.mts';
import { type Add, type Call, HUNG_UP } from './route.mts';
import { launch, waitForEnd } from './start.mts';
import { executionView, rawRunView } from './sdk-views.mts';

const startBody = z
	.object({
		formats: z.array(z.unknown()).optional(),
		promptInstructions: z.string().optional(),
	})
	.passthrough();

/** A start's fields that a real server uses. It ignores all others. */
export function startFields(body: unknown): { formats?: Format[]; prompt?: string } {
	const { formats, promptInstructions: prompt } = startBody.safeParse(body ?? {}).data ?? {};
	return { formats: formats && FORMATS.filter((format) => formats.includes(format)), prompt };
}

export function sdkRunRoutes(add: Add, world: World): void {
	add(
		['POST', '/sdk/robots/:id/execute', 'Failed to execute robot'],
		async (call) => await execute(world, call),
	);
	add(['GET', '/sdk/robots/:id/runs', 'Failed to get runs'], (call) => {
		const { id } = findSdkRobot(world, call);
		const runs = world.state.runs.filter(({ robotId }) => robotId === id);
		return { data: runs.map((run) => rawRunView(world, run)) };
	});
	add(['GET', '/sdk/robots/:id/runs/:runId', 'Failed to get run'], (call) => ({
		data: rawRunView(world, findSdkRun(world, call, 'Failed to get run')),
	}));
	add(['POST', '/sdk/robots/:id/runs/:runId/abort', 'Failed to abort run'], (call) =>
		abort(world, call),
	);
}

async function execute(world: World, call: Call): Promise<unknown> {
	const robot = robotAt(world, call);
	const run = robot && launch(world, robot, call, { source: 'sdk', ...startFields(call.body) });
	if (run === undefined) throw notExecuted('Failed to start robot execution');
	const ended = await waitForEnd(world, run, call);
	if (call.signal.aborted) return HUNG_UP;
	if (!ended) throw notExecuted('Run completion timeout after 3 hours');
	if (run.status === 'failed') throw notExecuted('Run failed');
	if (run.status === 'aborted') throw notExecuted('Run was aborted');
	return { data: executionView(world, run) };
}

const notExecuted = (message: string) => sdkRefusal(500, 'Failed to execute robot', { message });

function abort(world: World, call: Call): unknown {
	const run = findSdkRun(world, call, 'Failed to abort run');
	if (isFinished(run)) {
		const error = 'Run is not in a state that can be aborted';
		throw sdkRefusal(400, error, { currentStatus: run.status });
	}
	world.runner.abandon(run);
	return { message: 'Run abortion initiated', data: rawRunView(world, run) };
}

export function findSdkRobot(world: World, call: Call): Robot {
	const robot = robotAt(world, call);
	if (robot === undefined) throw sdkRefusal(404, 'Robot not found');
	return robot;
}

export function findSdkRun(world: World, call: Call, failure: string): Run {
	findSdkRobot(world, call);
	const { runId = '' } = call.params;
	const run = runAt(world, call);
	if (run !== undefined) return run;
	if (z.string().uuid().safeParse(runId).success) throw sdkRefusal(404, 'Run not found');
	throw sdkRefusal(500, failure, { message: `invalid input syntax for type uuid: "${runId}"` });
}
