import type { Robot } from '../maxun/service.mts';
import { QUIET } from '../n8n/database.mts';
import type { Account } from './maxun/account.mts';
import { credentialsOf, fieldsOf } from './credentials.mts';
import type { StoredWorkflow } from '../n8n/workflows.mts';
import type { History } from './history.mts';
import type { Happening } from './people.mts';
import type { RunArrival } from './runs.mts';
import type { Story } from './story.mts';
import { idsOf, selectionOf, watching } from './triggers.mts';

/** For how many seconds servers are busy after many simultaneous events or requests. */
const FLOOD = 150;

/** How often the user may have to try to publish a workflow. */
const MOST_TRIES = 3;

/** How long publishing takes, in seconds. */
const PUBLICATION = 1;

/** Maximum number of polls in a pause. Each poll takes real time. */
const LONGEST_PAUSE = 300;

/** How long a workflow is unpublished, in seconds. */
const pauseOf = (what: { publishAfter: number }, { host }: History): number =>
	Math.min(what.publishAfter, LONGEST_PAUSE * host.pollInterval);

/** For how many seconds something lasts; 0 if it has no end. */
export function lengthOf(what: Happening, history: History): number {
	if ('unpublish' in what) return pauseOf(what, history);
	if ('kill' in what) return what.restartAfter;
	if ('stop' in what) return what.stop;
	return ('seconds' in what && what.seconds) || 0;
}

/** The end of a copied workflow's ID. */
const COPIED = ', copied';

/** Both accounts' robots, by number. */
export type Robots = [Robot[], Robot[]];

export class Happenings {
	constructor(
		private readonly story: Story,
		private readonly robots: Robots,
	) {}

	/** A user publishes a workflow. If that fails, the user tries again later. @param again after how many seconds */
	publish(stored: StoredWorkflow, again = 1200): void {
		const { n8n } = this.story.world;
		this.story.world.note(`publish ${stored.id}`);
		n8n.publisher.publish(stored);
		let tries = 1;
		const check = () => {
			if (tries++ > MOST_TRIES || n8n.publisher.publicationOf(stored.id)) return;
			this.story.world.note(`publish ${stored.id} again`);
			n8n.publisher.publish(stored);
			this.later(1200, check);
		};
		this.later(again, check);
	}

	start({ robot: number, isOther, status, seconds }: Omit<RunArrival, 'at'>): void {
		const account = this.story.world.accounts[isOther ? 1 : 0];
		const robot = this.robots[isOther ? 1 : 0][number];
		if (!robot || !account.robots.has(robot.id)) return;
		if (status === 'canceled while queued') return account.cancelAtOnce(robot);
		const key = `${robot.key}-${account.past.runs.size}`;
		account.plans.set(key, { seconds, status, rows: 1 });
		account.start(robot, key, 'schedule');
	}

	happen(what: Happening): void {
		const { n8n, other, clock, accounts } = this.story.world;
		const [main] = accounts;
		if ('kill' in what) {
			const { main, processors } = n8n;
			const receivers = processors.length > 0 ? processors : [main];
			const targets = { main: [main], processors: receivers, all: [main, ...processors] };
			n8n.kill(targets[what.kill], what.restartAfter * 1000);
		} else if ('stop' in what) {
			n8n.stop(what.stop * 1000);
		} else if ('unpublish' in what) {
			const workflow = this.workflow(what.unpublish);
			if (!workflow) return;
			n8n.publisher.unpublish(workflow.id);
			this.later(pauseOf(what, this.story.history), () => this.publish(workflow));
		} else if ('publishAgain' in what) {
			this.change(what.publishAgain, () => {});
		} else if ('rename' in what) {
			this.change(what.rename, ({ trigger, connections }) => {
				const before = connections[trigger.name];
				trigger.name += ', renamed';
				if (before) connections[trigger.name] = before;
			});
		} else if ('replaceNode' in what) {
			this.change(what.replaceNode, (stored) => {
				const { trigger } = stored;
				const webhookId = trigger.webhookId && `${trigger.webhookId}-new`;
				stored.trigger = { ...trigger, id: `${trigger.id}, new`, webhookId };
			});
		} else if ('copy' in what) {
			this.copy(what.copy, what.to);
		} else if ('unpublishCopies' in what) {
			const id = `workflow ${what.unpublishCopies}`;
			n8n.publisher.unpublish(`${id}${COPIED}`);
			other.publisher.unpublish(id);
		} else if ('changeRobots' in what) {
			this.change(what.changeRobots, (stored) => {
				const isOther = selectionOf(stored.trigger).account !== 'main';
				const own = this.robots[isOther ? 1 : 0];
				Object.assign(stored.trigger.parameters, watching(idsOf(what.robots, own)));
			});
		} else if ('changeEvents' in what) {
			this.change(what.changeEvents, ({ trigger }) => {
				trigger.parameters.events = what.events;
			});
		} else if ('changeAccount' in what) {
			this.changeAccount(what.changeAccount);
		} else if ('test' in what) {
			const workflow = this.workflow(what.test);
			if (workflow) n8n.tester.test(workflow);
		} else if ('createRobot' in what) {
			const key = String(this.robots[0].length);
			this.robots[0].push(main.createRobot({ type: 'scrape', key }));
		} else if ('deleteRobot' in what) {
			this.deleteRobot(what.deleteRobot);
		} else if ('hideRobot' in what) {
			this.trouble(what.hideRobot, what.seconds, main.hidden, true);
		} else if ('refuseList' in what) {
			this.trouble(what.refuseList, what.seconds, main.unlisted, what.status);
		} else if ('breakRuns' in what) {
			this.trouble(what.breakRuns, what.seconds, main.broken, what.status);
		} else if ('refuseWebhooks' in what) {
			main.webhookRefusal = { status: what.refuseWebhooks, isOfChanges: what.isOfChanges };
			this.story.refusals.push({ from: clock.now, to: clock.now + (what.seconds + 30) * 1000 });
			this.later(what.seconds, () => (main.webhookRefusal = undefined));
		} else if ('correctTimeZone' in what) {
			for (const host of this.story.world.hosts) {
				for (const account of accounts) {
					host.credentials.set(account.own.name, fieldsOf(account, true));
				}
			}
		} else if ('forge' in what) {
			this.story.disturb({}, FLOOD);
			this.forge(main, what.forge);
		} else if ('replay' in what) {
			this.story.disturb({}, FLOOD);
			for (const { url, body } of [...main.deliveries]) void main.post(url, body, 30);
		} else if ('removeWebhooks' in what) {
			const robot = this.robots[0][what.removeWebhooks];
			if (!robot) return;
			this.story.cleared.add(robot.id);
			main.robots.get(robot.id)?.webhooks.splice(0);
		} else if ('slowDatabase' in what) {
			const speed = { ...QUIET, longest: what.slowDatabase };
			for (const { database } of [n8n, other]) {
				database.break(speed, what.seconds, { failing: what.failsFor });
			}
		} else if ('misdate' in what) {
			main.dateLead = what.misdate * 1000;
			this.later(what.seconds, () => (main.dateLead = 0));
		} else if ('setClock' in what) {
			clock.adjust(what.setClock * 1000);
		} else {
			main.setClock(what.setServerClock * 1000);
		}
	}

	private later(seconds: number, work: () => void): void {
		this.story.world.clock.after(seconds * 1000, work, null);
	}

	private workflow(index: number): StoredWorkflow | undefined {
		return this.story.world.n8n.workflows.get(`workflow ${index}`);
	}

	/** Publishes a changed version of a published workflow. */
	private change(index: number, change: (stored: StoredWorkflow) => void): void {
		this.endRuns();
		this.story.world.n8n.publisher.republish(`workflow ${index}`, (stored) => {
			stored.trigger = structuredClone(stored.trigger);
			change(stored);
		});
	}

	/** Runs end while a workflow is being published, even between the first poll and the webhooks. */
	private endRuns(): void {
		const { random } = this.story.world;
		for (const robot of this.robots[0].keys()) {
			const run = { robot, isOther: false, seconds: 0, status: 'success' } as const;
			this.later(random() * PUBLICATION, () => this.start(run));
		}
	}

	private copy(index: number, to: 'same' | 'other'): void {
		const { n8n, other } = this.story.world;
		const workflow = this.workflow(index);
		if (!workflow) return;
		const isSame = to === 'same';
		const suffix = isSame ? COPIED : '';
		const trigger = structuredClone(workflow.trigger);
		if (isSame && trigger.webhookId) trigger.webhookId += '-copied';
		const id = workflow.id + suffix;
		const host = isSame ? n8n : other;
		if (host.workflows.has(id)) return;
		host.publisher.publish({
			...workflow,
			id,
			trigger,
			cursors: new Map(isSame ? [] : workflow.cursors),
		});
	}

	private changeAccount(index: number): void {
		const { accounts } = this.story.world;
		this.change(index, (stored) => {
			const { trigger } = stored;
			const next = selectionOf(trigger).account === 'main' ? 1 : 0;
			const account = accounts[next];
			const numbers = selectionOf(trigger).robotIds.map((id) =>
				this.robots[next === 1 ? 0 : 1].findIndex((robot) => robot.id === id),
			);
			trigger.credentials = credentialsOf(account);
			trigger.parameters.server = account.own.kind;
			Object.assign(trigger.parameters, watching(idsOf(numbers, this.robots[next])));
		});
	}

	private deleteRobot(index: number): void {
		const [main] = this.story.world.accounts;
		const robot = this.robots[0][index];
		if (robot && main.robots.has(robot.id)) this.delete(robot.id);
	}

	private delete(robotId: string): void {
		const [main] = this.story.world.accounts;
		for (const run of main.runs.values()) if (run.robotId === robotId) main.end(run, 'aborted');
		main.deleteRobot(robotId);
		this.story.deleted.set(robotId, this.story.world.clock.now);
	}

	/** Breaks a robot for a few seconds, or for good. @param troubled the robots with this trouble, by ID */
	private trouble<T>(
		index: number,
		seconds: number | undefined,
		troubled: Map<string, T>,
		trouble: T,
	): void {
		const robotId = this.robots[0][index]?.id;
		if (robotId === undefined) return;
		troubled.set(robotId, trouble);
		this.story.disturb({ robotId }, seconds && seconds + 60);
		if (seconds !== undefined) this.later(seconds, () => void troubled.delete(robotId));
	}

	/** Sends events with and without the IDs of real runs. */
	private forge(account: Account, count: number): void {
		const runs = [...account.past.runs.values()];
		for (const { url } of account.deliveries.slice(-1)) {
			for (let index = 0; index < count; index++) {
				const run = runs[index % Math.max(1, runs.length)];
				const forged = `00000000-0000-4001-8000-${String(index).padStart(12, '0')}`;
				const id = index % 3 === 0 ? (run?.id ?? 'none') : forged;
				const data = index % 4 === 3 ? {} : { run_id: id, status: 'success' };
				void account.post(url, { event_type: 'run_completed', data }, 30);
			}
		}
	}
}
