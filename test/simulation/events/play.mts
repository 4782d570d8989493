import { listenToLog } from '../engine.mts';
import type { NodeCode } from '../process.mts';
import type { Outcome } from '../worker.mts';
import { Happenings, lengthOf, type Robots } from './happenings.mts';
import type { History } from './history.mts';
import type { Account } from './maxun/account.mts';
import { DURATION } from './runs.mts';
import { RULES } from './rules/rules.mts';
import { Story } from './story.mts';
import { storedWorkflow } from './triggers.mts';
import { EventsWorld, FOREIGN } from './world.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How long everything works before the last rounds, in milliseconds. Polls retry unreadable runs for half an hour. */
const QUIET = 40 * MINUTE;

/** How often each robot runs at the end, so that the triggers can catch up. */
const CLOSING_ROUNDS = 3;

/**
 * How often triggers search for missed runs at least, if they poll that often: once an hour if events reach them. A
 * run starts its workflow by the third search.
 */
const CLOSING_ROUND = { withEvents: HOUR + 5 * MINUTE, otherwise: 12 * MINUTE };

/** How long n8n is off in an outage, in seconds. */
const OUTAGE = 3600;

/** More requests than any history needs. A history with more is stopped. */
const MOST_REQUESTS = 60_000;

export async function play(history: History, code: NodeCode): Promise<Outcome> {
	const world = new EventsWorld(history, code);
	const { clock, network } = world;
	const story = new Story(world, history);
	listen(story);
	try {
		const happenings = new Happenings(story, populate(world.accounts, history));
		schedule(story, happenings);
		const runUntil = async (time: number) => {
			clock.after(time - clock.now, () => {}, null);
			const isTooMuch = () => network.exchanges.length > MOST_REQUESTS;
			// A change of n8n's clock also moves the limit.
			while (clock.now < time && !isTooMuch())
				await clock.run(Infinity, () => clock.now >= time || isTooMuch());
		};
		const { withEvents, otherwise } = CLOSING_ROUND;
		const shortest = hasEvents(history) ? withEvents : otherwise;
		const gap = Math.max(shortest, 1.1 * history.host.pollInterval * 1000);
		await runUntil(world.began + lastEnd(history) * 1000 + QUIET);
		world.calm();
		for (let round = 0; round < CLOSING_ROUNDS; round++) {
			for (const isOther of [false, true]) {
				for (let robot = 0; robot < history.robots; robot++) {
					happenings.start({ robot, isOther, seconds: 5, status: 'success' });
				}
			}
			await runUntil(clock.now + gap);
		}
		story.ended = clock.now;
		story.collect();
		story.checkEntries();
		for (const { publisher, workflows } of world.hosts) {
			for (const id of workflows.keys()) publisher.unpublish(id);
		}
		await runUntil(clock.now + 5 * MINUTE);
		const violations = Object.entries(RULES).flatMap(([name, check]) =>
			check(story).map((text) => `${name}: ${text}`),
		);
		if (network.exchanges.length > MOST_REQUESTS) violations.push('requestsEnd: too many');
		const runs = world.accounts.reduce((sum, { past }) => sum + past.runs.size, 0);
		const { longestTurn } = clock;
		return { violations, longestTurn, runs, trace: world.trace, counts: story.exceptions.used };
	} finally {
		world.close();
	}
}

/** Whether events may reach a trigger, so that it seldom looks for runs. */
const hasEvents = ({ url, workflows }: History): boolean =>
	url === 'right' && workflows.some(({ webhook }) => webhook);

/** When the last run, fault and event of the history is over, in seconds. */
function lastEnd(history: History): number {
	const { runs, faults, events, outage } = history;
	const periods = [...runs, ...faults].map(({ at, seconds }) => at + seconds);
	const ends = events.map((what) => what.at + lengthOf(what, history));
	return Math.max(DURATION, outage ? outage.at + OUTAGE : 0, ...periods, ...ends);
}

function listen(story: Story): void {
	const { network, accounts } = story.world;
	listenToLog((level, message) => story.log(`${level}: ${message}`));
	network.observe = ({ request, fault, response, number }, moment) => {
		if (moment === 'sent') story.onRequest(request);
		if (moment !== 'ended') return;
		const { method, url } = request;
		const status = fault ?? response?.status ?? '';
		story.world.note(`#${number} ${method} ${url.pathname}${url.search} ${status}`);
	};
	for (const account of accounts) {
		account.onDelivery = ({ url, body }) =>
			story.world.note(`event to ${new URL(url).pathname} ${JSON.stringify(body)}`);
	}
}

/** Creates what exists before anything is published. */
function populate(accounts: [Account, Account], history: History): Robots {
	const { robots: count, oldRuns, foreignWebhooks, oddRobots, refused } = history;
	const robotsOf = (account: Account) =>
		Array.from({ length: count }, (_, number) => {
			const robot = account.createRobot({ type: 'scrape', key: String(number) });
			const settings = { active: true, retryAttempts: 3, retryDelay: 5, timeout: 30 };
			for (let index = 0; index < foreignWebhooks; index++) {
				const webhook = { id: account.id('webhook'), url: `${FOREIGN}/${index}` };
				robot.webhooks.push({ ...webhook, ...settings, events: ['run_completed'] });
			}
			for (let index = oldRuns; index > 0; index--) {
				const status = (['success', 'failed', 'aborted'] as const)[index % 3] ?? 'success';
				// From ten minutes to a month ago.
				account.addEnded(robot, status, 10 * MINUTE * index ** 1.7);
			}
			return robot;
		});
	const robots: Robots = [robotsOf(accounts[0]), robotsOf(accounts[1])];
	for (const number of oddRobots) {
		const robot = robots[0][number];
		if (robot) accounts[0].odd.add(robot.id);
	}
	for (const { robot: number, status } of refused) {
		const robot = robots[0][number];
		if (robot) accounts[0].unlisted.set(robot.id, status);
	}
	return robots;
}

/** Plans what the history contains. */
function schedule(story: Story, happenings: Happenings): void {
	const { world, history } = story;
	const { workflows, runs, events, refused, queuedRuns, outage } = history;
	const [main] = world.accounts;
	const at = (seconds: number, work: () => void) => world.clock.after(seconds * 1000, work, null);
	const robots = [...main.robots.values()];
	for (const { robot } of refused) {
		const robotId = robots[robot]?.id;
		if (robotId) story.disturb({ robotId, isOfList: true });
	}
	const firstAt = Math.min(...workflows.map(({ publishedAt }) => publishedAt));
	at(firstAt - 1, () => {
		for (let index = 0; index < queuedRuns; index++) {
			happenings.start({ robot: 0, isOther: false, seconds: 30, status: 'success' });
		}
	});
	workflows.forEach((plan, index) => {
		at(plan.publishedAt, () => happenings.publish(storedWorkflow(plan, index, robots, main)));
	});
	if (outage) {
		at(outage.at, () => happenings.happen({ stop: OUTAGE }));
		for (let index = 0; index < outage.runs; index++) {
			const run = { robot: 0, isOther: false, seconds: 5, status: 'success' } as const;
			at(outage.at + 10 + 2 * index, () => happenings.start(run));
		}
	}
	for (const { at: time, ...run } of runs) at(time, () => happenings.start(run));
	for (const { at: time, waitsForPoll, ...what } of events) {
		const happen = () => {
			story.world.note(JSON.stringify(what));
			happenings.happen(what);
		};
		at(time, () => (waitsForPoll ? story.whilePolling(happen) : happen()));
	}
}
