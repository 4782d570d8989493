import type { INodeParameters } from 'n8n-workflow';
import { workflow as library } from '../engine.mts';
import type { Robot } from '../maxun/service.mts';
import type { NodeCode } from '../process.mts';
import type { Outcome } from '../worker.mts';
import type { Happening, History, WorkflowPlan } from './history.mts';
import { RULES } from './rules.mts';
import { Story } from './story.mts';
import { triggerNode, type StoredWorkflow } from './workflow.mts';
import { EventsWorld } from './world.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** When everything that goes wrong has happened, in milliseconds after the beginning, except at the end of long runs. */
const LAST = 4 * HOUR;

/** Lists with more runs take long to parse. */
const MANY_RUNS = 300;

/** At the end, each robot runs this often, so that the triggers can catch up. */
const CLOSING_RUNS = 3;

/** A trigger retries an unreadable run for 30 minutes. The next event after that ends it. */
const RETRY_TIME = 35 * MINUTE;

/** Maxun retries a delivery for 42 minutes, and a trigger retries a run for 30 minutes. */
const PATIENCE = 75 * MINUTE;

/** Plays a history. @param stopwatch measures how long turns take, in real milliseconds */
export async function play(
	history: History,
	code: NodeCode,
	stopwatch?: () => number,
): Promise<Outcome> {
	const world = new EventsWorld(history, code, stopwatch);
	const { clock, maxun, network } = world;
	const started = clock.now;
	const story = new Story(world);
	const onUnhandled = (reason: unknown) => story.unhandled.push(String(reason));
	process.on('unhandledRejection', onUnhandled);
	const log = (level: string) => (message: string) => story.log(`${level}: ${message}`);
	library.LoggerProxy.init({
		debug: () => {},
		info: () => {},
		warn: log('warning'),
		error: log('error'),
	});
	try {
		network.observe = ({ request, fault, response, number }, moment) => {
			const { method, url } = request;
			const status = moment === 'sent' ? (fault ?? '') : (response?.status ?? '');
			story.note(`#${number} ${moment} ${method} ${url.pathname} ${status}`);
		};
		maxun.onDelivery = ({ url, body }) =>
			story.note(`delivery to ${new URL(url).pathname} ${JSON.stringify(body)}`);
		const robots = Array.from({ length: history.robots }, (_, number) =>
			maxun.createRobot({ type: 'scrape', key: String(number) }),
		);
		const at = (seconds: number, work: () => void) => clock.after(seconds * 1000, work, null);
		history.workflows.forEach((plan, index) => {
			at(plan.publishedAt, () => story.publish(world.n8n, stored(plan, index, robots, history)));
		});
		for (const { at: time, robot, ...plan } of history.runs) {
			at(time, () => start(world, robots[robot], plan));
		}
		for (const { at: time, ...what } of history.events) {
			at(time, () => {
				story.note(JSON.stringify(what));
				happen(story, robots, what);
			});
		}
		const runUntil = async (time: number) => {
			clock.after(time - clock.now, () => {}, null);
			await clock.run(time);
		};
		const ends = history.runs.map(({ at: time, seconds }) => (time + seconds) * 1000 + HOUR);
		await runUntil(started + Math.max(LAST, ...ends));
		world.calm();
		story.startClosing();
		const runAll = () => {
			for (const robot of robots) start(world, robot, { seconds: 5, status: 'success' });
		};
		for (let round = 0; round < CLOSING_RUNS; round++) {
			runAll();
			await runUntil(clock.now + 15 * MINUTE);
		}
		await runUntil(clock.now + RETRY_TIME);
		story.startLastRound();
		runAll();
		await runUntil(clock.now + PATIENCE);
		story.checkWebhooks();
		for (const host of world.hosts) for (const { id } of host.all) story.unpublish(host, id);
		await runUntil(clock.now + 10 * MINUTE);
		const violations = Object.entries(RULES).flatMap(([name, check]) =>
			check(story, history).map((text) => `${name}: ${text}`),
		);
		// n8n's HTTP client parses a long list in one turn.
		const longestTurn = history.runs.length > MANY_RUNS ? 0 : clock.longestTurn;
		return { violations, longestTurn, trace: story.trace };
	} finally {
		process.off('unhandledRejection', onUnhandled);
		world.close();
	}
}

function start(
	{ maxun }: EventsWorld,
	robot: Robot | undefined,
	plan: { seconds: number; status: 'success' | 'failed' | 'aborted' },
): void {
	if (!robot || !maxun.robots.has(robot.id)) return;
	const key = `${robot.key}-${maxun.past.runs.size}`;
	maxun.plans.set(key, { ...plan, rows: 1 });
	maxun.start(robot, key, 'schedule');
}

function stored(
	plan: WorkflowPlan,
	index: number,
	robots: Robot[],
	{ server }: History,
): StoredWorkflow {
	const name = `trigger-${index}`;
	const parameters: INodeParameters = {
		server,
		events: ['run_completed', ...(plan.failedToo ? ['run_failed'] : [])],
		robotIds: idsOf(plan.robots, robots),
		registration: 'automatic',
		output: 'simplified',
		options: plan.trigger === 'webhook' ? { catchUp: plan.catchUp } : {},
	};
	return {
		id: `workflow ${index}`,
		trigger: triggerNode(plan.trigger, name, parameters),
		hasOtherPoll: plan.hasOtherPoll,
		staticData: '{}',
	};
}

const idsOf = (numbers: number[], robots: Robot[]) =>
	numbers.flatMap((number) => robots[number]?.id ?? []);

/** Lets something happen. */
function happen(story: Story, robots: Robot[], what: Happening): void {
	const { n8n, other, maxun, clock } = story.world;
	const later = (seconds: number, work: () => void) => clock.after(seconds * 1000, work, null);
	const workflowOf = (index: number) => n8n.workflow(`workflow ${index}`);

	if ('kill' in what) {
		story.kill(() => n8n.kill(what.kill, what.restartAfter * 1000));
	} else if ('stop' in what) {
		story.kill(() => n8n.stop(what.stop * 1000));
	} else if ('unpublish' in what) {
		const workflow = workflowOf(what.unpublish);
		if (!workflow) return;
		story.unpublish(n8n, workflow.id);
		later(what.publishAfter, () => story.publish(n8n, workflow));
	} else if ('publishAgain' in what) {
		story.change(n8n, `workflow ${what.publishAgain}`, (workflow) => workflow);
	} else if ('rename' in what) {
		story.change(n8n, `workflow ${what.rename}`, (workflow) =>
			Object.assign(workflow, {
				trigger: { ...workflow.trigger, name: `${workflow.trigger.name}, renamed` },
			}),
		);
	} else if ('copy' in what) {
		const workflow = workflowOf(what.copy);
		if (!workflow) return;
		const isSame = what.to === 'same';
		const suffix = isSame ? ', copied' : '';
		const trigger = structuredClone(workflow.trigger);
		if (isSame && trigger.webhookId) trigger.webhookId += '-copied';
		story.publish(isSame ? n8n : other, { ...workflow, id: workflow.id + suffix, trigger });
	} else if ('changeRobots' in what) {
		const robotIds = idsOf(what.robots, robots);
		story.change(n8n, `workflow ${what.changeRobots}`, (workflow) =>
			Object.assign(workflow, {
				trigger: {
					...workflow.trigger,
					parameters: { ...workflow.trigger.parameters, robotIds },
				},
			}),
		);
	} else if ('deleteRobot' in what) {
		const robot = robots[what.deleteRobot];
		if (!robot) return;
		for (const run of maxun.runs.values()) if (run.robotId === robot.id) maxun.end(run, 'aborted');
		maxun.deleteRobot(robot.id);
	} else if ('hideRobot' in what) {
		const robot = robots[what.hideRobot];
		if (!robot) return;
		maxun.hidden.add(robot.id);
		later(what.seconds, () => maxun.hidden.delete(robot.id));
	} else if ('breakRuns' in what) {
		const robot = robots[what.breakRuns];
		if (!robot) return;
		maxun.broken.set(robot.id, what.status);
		if (what.seconds) later(what.seconds, () => maxun.broken.delete(robot.id));
	} else if ('correctTimeZone' in what) {
		for (const host of story.world.hosts) host.timezone = maxun.settings.timezone ?? host.timezone;
	} else if ('forge' in what) {
		forge(story, what.forge);
	} else if ('replay' in what) {
		for (const { url, body } of [...maxun.deliveries]) void maxun.post(url, body, 30);
	} else {
		maxun.robot(robots[what.removeWebhooks]?.id ?? '')?.webhooks.splice(0);
	}
}

/** Sends deliveries with and without the names of real runs, but without the secret. */
function forge({ world: { maxun } }: Story, count: number): void {
	const runs = [...maxun.past.runs.values()];
	for (const { url } of maxun.deliveries.slice(-1)) {
		const target = new URL(url);
		target.search = '?secret=guessed';
		for (let index = 0; index < count; index++) {
			const run = runs[index % Math.max(1, runs.length)];
			const data = index % 2 === 0 ? { run_id: run?.id ?? 'none', status: 'success' } : {};
			void maxun.post(target.href, { event_type: 'run_completed', data }, 30);
		}
	}
}
