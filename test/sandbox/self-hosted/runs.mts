import type { FastifyInstance } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import { newRun } from '../factory.mts';
import { isFinished, type Robot, type Run } from '../model.mts';
import type { World } from '../world.mts';
import { refusal } from './answers.mts';
import { demandNothing, listView, robotAt, runAt } from './lookup.mts';
import { addRoute, type Call, HUNG_UP } from './route.mts';
import { runView } from './views.mts';

const NOT_RUN = 'Failed to run robot';

/** Run routes: list, read, start. */
export function runRoutes(app: FastifyInstance, world: World): void {
	addRoute(app, world, {
		method: 'GET',
		path: '/robots/:id/runs',
		failure: 'Failed to retrieve runs',
		handle: (call) => {
			demandNothing(call);
			const robot = robotAt(world, call);
			if (robot === undefined) throw refusal(404, 'not_found', 'Robot not found');
			const runs = world.state.runs.filter(({ robotId }) => robotId === robot.id);
			const view = (run: Run) => runView(world, run);
			return { statusCode: 200, messageCode: 'success', runs: listView(runs, call.form, view) };
		},
	});
	addRoute(app, world, {
		method: 'GET',
		path: '/robots/:id/runs/:runId',
		failure: 'Failed to retrieve the run',
		handle: (call) => {
			const run = runAt(world, call);
			if (run === undefined) throw runNotFound(call);
			return { statusCode: 200, messageCode: 'success', run: runView(world, run) };
		},
	});
	addRoute(app, world, {
		method: 'POST',
		path: '/robots/:id/runs',
		failure: NOT_RUN,
		unauthorized: (error) => ({ ok: false, error }),
		handle: async (call) => await start(world, call),
	});
}

function runNotFound({ params: { id = '', runId = '' } }: Call) {
	const message = `Run with id "${runId}" for robot with id "${id}" not found.`;
	return refusal(404, 'not_found', message);
}

/**
 * Starts a run and, by default, waits for its end. The documented form returns a run
 * with its status. A real server returns the same 500 for every failure.
 */
async function start(world: World, call: Call): Promise<unknown> {
	demandNothing(call);
	const robot = robotAt(world, call);
	if (robot === undefined) throw refusal(500, 'error', NOT_RUN);
	const run = launch(world, robot, call);
	if (!world.settings.selfHostedAnswersAtOnce) {
		const ended = await waitForEnd(world, run, call);
		if (call.signal.aborted) return HUNG_UP;
		const failed = call.form === 'observed' && run.status !== 'success';
		if (!ended || failed) throw refusal(500, 'error', NOT_RUN);
	}
	return { statusCode: 200, messageCode: 'success', run: runView(world, run) };
}

function launch(world: World, robot: Robot, { form, caller }: Call): Run {
	const options = { source: 'api', payer: caller.payer } as const;
	if (form === 'documented') return world.runner.start(robot, options);
	const mine = world.state.runs.filter(({ scope }) => scope === caller.scope);
	if (mine.filter((run) => !isFinished(run)).length >= world.slots) {
		throw refusal(500, 'error', NOT_RUN);
	}
	const limit = Date.now() - world.settings.selfHostedHangsWithinSeconds * 1000;
	const tooSoon = mine.some(({ finishedAt }) => Date.parse(finishedAt ?? '') > limit);
	return tooSoon ? hang(world, robot) : world.runner.start(robot, options);
}

/** A run with status `running` that never proceeds. */
function hang(world: World, robot: Robot): Run {
	const run = newRun(robot, { status: 'running', startedAt: new Date().toISOString() });
	world.state.runs.push(run);
	world.store.touch();
	return run;
}

/** @returns whether the run has ended; false if the run or the connection is gone */
async function waitForEnd(world: World, run: Run, { signal, cut }: Call): Promise<boolean> {
	const { selfHostedCutAfterSeconds: cutAfter, selfHostedStepSeconds: step } = world.settings;
	const latest = Date.now() + world.settings.selfHostedWaitSeconds * 1000;
	const timer = cutAfter === null ? undefined : setTimeout(cut, cutAfter * 1000);
	while (!isFinished(run) && Date.now() < latest && world.state.runs.includes(run)) {
		await sleep(step * 1000, undefined, { signal }).catch(() => undefined);
		if (signal.aborted) break;
	}
	clearTimeout(timer);
	return isFinished(run);
}
