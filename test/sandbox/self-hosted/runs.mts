import type { World } from '../world.mts';
import { refusal } from './refusals.mts';
import { demandNothing, listView, robotAt, runAt } from './lookup.mts';
import { type Add, type Call, HUNG_UP } from './route.mts';
import { startFields } from './sdk-runs.mts';
import { launch, waitForEnd } from './start.mts';
import { runView } from './views.mts';

const NOT_RUN = 'Failed to run robot';

export function runRoutes(add: Add, world: World): void {
	add(['GET', '/robots/:id/runs', 'Failed to retrieve runs'], (call) => {
		demandNothing(call);
		const robot = robotAt(world, call);
		if (robot === undefined) throw refusal(404, 'not_found', 'Robot not found');
		const runs = world.state.runs.filter(({ robotId }) => robotId === robot.id);
		const list = listView(runs, call.form, (run) => runView(world, run));
		return { statusCode: 200, messageCode: 'success', runs: list };
	});
	add(['GET', '/robots/:id/runs/:runId', 'Failed to retrieve the run'], (call) => {
		const run = runAt(world, call);
		if (run === undefined) throw runNotFound(call);
		return { statusCode: 200, messageCode: 'success', run: runView(world, run) };
	});
	add(
		['POST', '/robots/:id/runs', NOT_RUN, { unauthorized: (error) => ({ ok: false, error }) }],
		async (call) => await start(world, call),
	);
}

function runNotFound({ params: { id = '', runId = '' } }: Call) {
	const message = `Run with id "${runId}" for robot with id "${id}" not found.`;
	return refusal(404, 'not_found', message);
}

/**
 * Starts a run and, by default, waits until it ends. The documented form returns a run with its status. A real server
 * returns the same 500 for every failure.
 */
async function start(world: World, call: Call): Promise<unknown> {
	demandNothing(call);
	const robot = robotAt(world, call);
	const fields = call.form === 'observed' ? startFields(call.body) : {};
	const run = robot && launch(world, robot, call, { source: 'api', ...fields });
	if (run === undefined) throw refusal(500, 'error', NOT_RUN);
	if (!world.settings.selfHostedAnswersAtOnce) {
		const ended = await waitForEnd(world, run, call);
		if (call.signal.aborted) return HUNG_UP;
		const failed = call.form === 'observed' && run.status !== 'success';
		if (!ended || failed) throw refusal(500, 'error', NOT_RUN);
	}
	return { statusCode: 200, messageCode: 'success', run: runView(world, run) };
}
