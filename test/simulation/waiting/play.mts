import { parse } from 'flatted';
import type { IRunExecutionData } from 'n8n-workflow';
import { isFinal, type StoredExecution } from '../../helpers/engine/execution-store.mts';
import { kindOf, plan as planFaults, watcher } from '../mishaps.mts';
import type { Network } from '../network.mts';
import { KEYS } from '../origins.mts';
import type { NodeCode } from '../process.mts';
import type { Outcome } from '../worker.mts';
import { WaitingWorld } from './world.mts';
import { employClient, happen } from './happenings.mts';
import { MOST_REQUESTS, type ExecutionPlan, type History } from './history.mts';
import { INVARIANTS } from './invariants.mts';
import { begin, giveCredentials } from './setup.mts';
import { Played, type Happened } from './view.mts';

const MINUTE = 60_000;

/** The longest simulated time that a history may take, in milliseconds. */
const LONGEST = 8 * 60 * MINUTE;

/** The time for what follows the last execution, such as cleanup. */
const AFTERWARDS = 20 * MINUTE;

/** When every robot that was left behind has expired: six times the timeout of an hour, and 24 hours more. */
const EXPIRY = 31 * 60 * MINUTE;

/** The longest time between two sub-workflows of a canceled parent, in milliseconds. */
const GAP = 10_000;

/** Whether an execution had ended at a time. */
const endedBefore = (time: number) => (execution: StoredExecution) =>
	isFinal(execution) && (execution.trail.at(-1)?.at ?? 0) < time;

export async function play(history: History, code: NodeCode): Promise<Outcome> {
	const world = new WaitingWorld(history, code);
	try {
		for (const n8n of world.hosts) giveCredentials(n8n, KEYS.own);
		const happened = schedule(world, history);
		history.executions.forEach((plan, index) => begin(world, history, plan, index));
		employClient(world, history);
		await untilOver(world, history);
		const left = [...world.maxun.robots.values()];
		const nextDay = await playNextDay(world, history);
		const played = new Played(history, world, happened, left, nextDay);
		const violations = Object.entries(INVARIANTS).flatMap(([name, check]) =>
			check(played).map((text) => `${name}: ${text}`),
		);
		const { trace } = world;
		const { longestTurn } = world.clock;
		const runs = world.maxun.past.runs.size;
		return { violations, longestTurn, runs, trace, counts: played.excuses.counts };
	} finally {
		world.close();
	}
}

/** Prepares faults and happenings. @returns what has happened; grows during the history */
function schedule(world: WaitingWorld, history: History): Happened[] {
	const { clock, network, began } = world;
	const happened: Happened[] = [];
	planFaults(history.faults, network, history.outages, () => clock.now - began);
	const events = history.events.map(({ when, ...what }) => ({
		when,
		happen: () => {
			world.note(JSON.stringify(what));
			happened.push({ ...what, time: clock.now });
			happen(world, history, what);
		},
	}));
	const watch = watcher(events);
	network.observe = (exchange, moment) => {
		note(world)(exchange, moment);
		watch(exchange, moment);
	};
	for (const { when, happen: effect } of events) {
		if ('seconds' in when) clock.after(when.seconds * 1000, effect, null);
	}
	for (const { database, name } of world.hosts) {
		database.executions.observe = (execution) =>
			world.note(`execution ${name}${execution.id} is ${execution.status}${errorIn(execution)}`);
	}
	return happened;
}

const note =
	(world: WaitingWorld): Network['observe'] =>
	({ request, fault, number, response }, moment) => {
		const status = moment === 'sent' ? (fault ?? '') : (response?.status ?? '');
		const { method, url } = request;
		world.note(`#${number} ${moment} ${kindOf(request)}: ${method} ${url.pathname} ${status}`);
	};

async function untilOver(world: WaitingWorld, history: History): Promise<void> {
	const { clock, network, hosts, began } = world;
	const lastStarts = history.executions.map(({ at, starts, every }) => at + (starts - 1) * every);
	const last = Math.max(...lastStarts) * 1000 + MINUTE;
	const isOver = () =>
		network.exchanges.length > MOST_REQUESTS ||
		(clock.now > began + last &&
			hosts.every(({ database }) => database.executions.all.every(endedBefore(clock.now - GAP))));
	await clock.run(began + LONGEST, isOver);
	await clock.run(clock.now + AFTERWARDS);
}

/**
 * If temporary robots remain, another execution creates one after they have expired. Nothing fails anymore.
 *
 * @returns when it started, in epoch milliseconds
 */
async function playNextDay(world: WaitingWorld, history: History): Promise<number | undefined> {
	const { clock, network, n8n, maxun } = world;
	const leftovers = [...maxun.robots.values()].filter(({ creator }) => creator !== undefined);
	if (leftovers.length === 0 || network.exchanges.length > MOST_REQUESTS) return undefined;
	await clock.run(clock.now + EXPIRY);
	network.faultOf = () => undefined;
	network.observe = note(world);
	giveCredentials(n8n, KEYS.own);
	maxun.settings.mostRobots = undefined;
	const time = clock.now;
	world.note(`the next day, with ${leftovers.map(({ id }) => id).join()}`);
	begin(world, history, NEXT_DAY, history.executions.length);
	await clock.run(clock.now + AFTERWARDS);
	return time;
}

const NEXT_DAY: ExecutionPlan = {
	at: 0,
	operation: 'scrape',
	items: [{ seconds: 5, status: 'success', rows: 1, timeoutMinutes: 60, pages: [] }],
	shape: 'single',
	timeoutMinutes: 60,
	sharesRobot: false,
	mode: 'trigger',
	isElsewhere: false,
	caller: 'nobody',
	parent: 'none',
	waitNode: false,
	onError: 'stopWorkflow',
	retryOnFail: false,
	pauseAfter: 60,
	onTimeout: 'error',
	onFailure: 'error',
	skipsPages: false,
	maxRuns: 1,
	cancelOnTimeout: false,
	keepRobot: false,
	skipsRead: false,
	repairs: false,
	runLimit: 0,
	starts: 1,
	every: 20,
};

function errorIn({ status, data }: StoredExecution): string {
	if (status !== 'error' && status !== 'canceled') return '';
	const { resultData }: IRunExecutionData = parse(data);
	return resultData.error ? `: ${resultData.error.message}` : '';
}
