import { parse, stringify } from 'flatted';
import type { IRunExecutionData } from 'n8n-workflow';
import type { Robot } from '../maxun/service.mts';
import type { World } from '../world.mts';
import type { Happening, History } from './history.mts';
import { firstWorkflowOf } from './setup.mts';

const MOST_WEBHOOKS = 10;

/** Lets something happen in the world. */
export function happen(world: World, history: History, what: Happening): void {
	const { maxun, n8n } = world;
	const robotsOf = (execution: number): Robot[] =>
		[...maxun.robots.values()].filter(({ key }) => key.startsWith(`e${execution}`));

	if ('kill' in what) {
		const workers = history.host.workers > 0 ? n8n.workers : [n8n.main];
		const targets = { main: [n8n.main], workers, all: [n8n.main, ...n8n.workers] };
		n8n.kill(targets[what.kill], what.restartAfter * 1000);
	} else if ('cancel' in what) {
		const plan = history.executions[what.cancel];
		if (!plan) return;
		const workflowId = firstWorkflowOf(plan, what.cancel);
		for (const { id } of n8n.database.all.filter((stored) => stored.workflowId === workflowId)) {
			n8n.cancel(id);
		}
	} else if ('abortRuns' in what) {
		for (const run of maxun.runs.values()) maxun.end(run, 'aborted');
	} else if ('deleteRobots' in what) {
		for (const { id } of robotsOf(what.deleteRobots)) {
			for (const run of maxun.runs.values()) if (run.robotId === id) maxun.end(run, 'aborted');
			maxun.deleteRobot(id);
		}
	} else if ('schedule' in what) {
		for (const robot of robotsOf(what.schedule)) maxun.start(robot, 'scheduled', 'schedule');
	} else if ('fillWebhooks' in what) {
		for (const robot of robotsOf(what.fillWebhooks)) fill(robot);
	} else if ('breakParameters' in what) {
		n8n.variables.extra = ' minutes';
	} else if ('deleteCredentials' in what) {
		n8n.hasCredentials = false;
	} else {
		for (const stored of n8n.database.all) {
			if (stored.status !== 'waiting') continue;
			stored.data = withBrokenState(stored.data, what.breakState);
		}
	}
}

function fill({ webhooks }: Robot): void {
	while (webhooks.length < MOST_WEBHOOKS) {
		webhooks.push({
			id: `foreign-${webhooks.length}`,
			url: 'https://elsewhere.test/',
			events: [],
			active: false,
			retryAttempts: 3,
			retryDelay: 5,
			timeout: 30,
		});
	}
}

/** The data of a paused execution, where what the Maxun node has stored can't be read, or only a part of it. */
function withBrokenState(data: string, part: 'all' | 'outputs'): string {
	const read: IRunExecutionData = parse(data);
	const pause: unknown = read.executionData?.contextData['node:Maxun']?.pause;
	if (!isObject(pause) || !('state' in pause)) return data;
	if (part === 'all') pause.state = { runs: 1 };
	else Object.assign(pause.state ?? {}, { outputs: 1 });
	return stringify(read);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
