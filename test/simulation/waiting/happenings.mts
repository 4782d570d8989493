import { hasEnded, type Robot, type Run } from '../maxun/service.mts';
import { QUIET } from '../n8n/database.mts';
import { KEYS } from '../origins.mts';
import type { WaitingWorld } from './world.mts';
import type { Happening, History } from './history.mts';
import { firstWorkflowOf, giveCredentials, hostOf } from './setup.mts';

/** The client that starts and cancels runs with the same API. */
export const CLIENT = 'another client';

/** Makes something happen in the world. */
export function happen(world: WaitingWorld, history: History, what: Happening): void {
	const { maxun, n8n, clock } = world;

	if ('kill' in what) {
		const workers = history.host.workers > 0 ? n8n.workers : [n8n.main];
		const targets = { main: [n8n.main], workers, all: [n8n.main, ...n8n.workers] };
		n8n.kill(targets[what.kill], what.restartAfter * 1000);
	} else if ('cancel' in what) {
		cancel(world, history, what.cancel);
	} else if ('replaceKey' in what) {
		const key = what.replaceKey === 'invalid' ? 'mx-key-that-was-deleted' : KEYS.other;
		if (n8n.credentials.size > 0) giveCredentials(n8n, key);
	} else if ('changeRole' in what) {
		if (history.server === 'cloud') maxun.roles.set(KEYS.own, what.changeRole);
	} else if ('breakParameters' in what) {
		n8n.variables.extra = ' minutes';
	} else if ('deleteCredentials' in what) {
		n8n.credentials.clear();
	} else if ('slowDatabase' in what) {
		n8n.database.break({ longest: 15_000, spread: 1 }, what.slowDatabase);
		const { slowDatabase: after, failing } = what;
		n8n.database.break(QUIET, failing, { after, failing });
	} else if ('redesign' in what) {
		maxun.design++;
	} else if ('setClock' in what) {
		clock.adjust(what.setClock);
	} else {
		happenInMaxun(world, what);
	}
}

function cancel(world: WaitingWorld, history: History, index: number): void {
	const plan = history.executions[index];
	if (!plan) return;
	const n8n = hostOf(world, plan);
	const workflowId = firstWorkflowOf(plan, index);
	for (const { id } of n8n.database.executions.all.filter(
		(stored) => stored.workflowId === workflowId,
	)) {
		n8n.executions.cancel(id);
	}
}

type InMaxun = Extract<
	Happening,
	| { abortRuns: true }
	| { deleteRobots: number }
	| { schedule: number }
	| { clientCancels: number }
	| { occupy: number }
>;

function happenInMaxun({ maxun }: WaitingWorld, what: InMaxun): void {
	const robotsOf = (execution: number): Robot[] =>
		[...maxun.robots.values()].filter(({ key }) => key.startsWith(`e${execution}`));
	const abort = (isWanted: (run: Run) => boolean, canceller?: string) => {
		for (const run of [...maxun.runs.values()].filter(isWanted)) {
			run.canceller ??= canceller;
			maxun.end(run, 'aborted');
		}
	};

	if ('abortRuns' in what) abort(() => true);
	else if ('clientCancels' in what) {
		abort(({ key }) => key.startsWith(`e${what.clientCancels}i`), CLIENT);
	} else if ('deleteRobots' in what) {
		for (const { id } of robotsOf(what.deleteRobots)) {
			abort(({ robotId }) => robotId === id);
			maxun.deleteRobot(id);
		}
	} else if ('schedule' in what) {
		for (const robot of robotsOf(what.schedule)) maxun.start(robot, 'scheduled', 'schedule');
	} else {
		const plan = { seconds: what.seconds, status: 'success' as const, rows: 1 };
		maxun.plans.set('occupied', plan);
		const robot = maxun.createRobot({ type: 'extract', key: 'occupied' });
		for (let run = 0; run < what.occupy; run++) maxun.start(robot, 'occupied', 'api', CLIENT);
	}
}

/** How long another client works, in milliseconds. */
const CLIENT_WORKS = 10 * 60_000;

/** How many simultaneous runs a self-hosted server allows. */
const SELF_HOSTED_SLOTS = 2;

/** Makes another API client run people's robots. It leaves out the temporary robots. */
export function employClient({ maxun, clock }: WaitingWorld, { client, server }: History): void {
	if (!client) return;
	const robots = [...maxun.robots.values()];
	const work = (time: number): void => {
		for (const robot of robots.filter(({ id }) => maxun.robots.has(id))) {
			if (client.cancels || server === 'selfHosted') {
				const active = [...maxun.runs.values()].filter((run) => !hasEnded(run));
				for (const run of client.cancels ? active : []) {
					if (run.robotId !== robot.id) continue;
					run.canceller ??= CLIENT;
					maxun.end(run, 'aborted');
				}
				if (server === 'selfHosted' && active.length >= SELF_HOSTED_SLOTS) continue;
			}
			// On a self-hosted server, robots have no inputs, so all runs of a robot have the same data.
			maxun.start(robot, server === 'cloud' ? 'foreign' : robot.key, 'api', CLIENT);
		}
		const next = time + client.every * 1000;
		if (next < CLIENT_WORKS) clock.after(client.every * 1000, () => work(next), null);
	};
	clock.after(0, () => work(0), null);
}
