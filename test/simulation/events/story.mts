import type { Run } from '../maxun/service.mts';
import type { Start, TriggerHost } from './host.mts';
import type { StoredWorkflow } from './workflow.mts';
import type { EventsWorld } from './world.mts';

const MINUTE = 60_000;

/** A time in which a workflow waits for the runs of robots. Times are epoch milliseconds. */
export interface Watch {
	host: TriggerHost;
	workflow: StoredWorkflow;
	type: string;
	robotIds: string[];
	events: string[];
	catchUp: boolean;
	/** When the publication began, or an earlier one that it continues. */
	from: number;
	to: number;
}

/** Whether a publication waits for the same runs as a former one, which had enough time to begin. */
const continues = ({ robotIds, events }: Watch, former: Watch): boolean =>
	former.to - former.from > MINUTE &&
	former.robotIds.join() === robotIds.join() &&
	former.events.join() === events.join();

/** When a trigger certainly waits for runs. While Maxun fails, n8n repeats its registration for minutes. */
function beginningOf({ host, workflow, from }: Watch): number {
	const { at: registered = from } =
		host.registrations.find(({ workflowId, at }) => workflowId === workflow.id && at >= from) ?? {};
	return Math.max(from + MINUTE, registered);
}

/** What happens in a world, as somebody outside sees it. */
export class Story {
	readonly trace: string[] = [];
	readonly logs: string[] = [];
	readonly unhandled: string[] = [];
	readonly watches: Watch[] = [];
	/** When processes were killed. */
	readonly kills: number[] = [];
	/** Webhooks at the end of the history, by robot and URL without a query. */
	readonly webhooks: Array<{ robotId: string; url: string }> = [];
	/** The workflows that were published at the end, with all webhooks. */
	private readonly live = new Set<string>();
	closing = Infinity;
	/** When the last runs start. */
	lastRound = Infinity;
	private readonly began: number;

	constructor(readonly world: EventsWorld) {
		this.began = world.clock.now;
	}

	note(text: string): void {
		this.trace.push(`${((this.world.clock.now - this.began) / 1000).toFixed(3)} ${text}`);
	}

	log(text: string): void {
		this.logs.push(text);
		this.note(text);
	}

	publish(host: TriggerHost, workflow: StoredWorkflow): void {
		this.note(`publish ${workflow.id} in ${host.settings.origin}`);
		this.watch(host, workflow);
		host.publish(workflow);
	}

	unpublish(host: TriggerHost, id: string): void {
		this.end(host, id);
		host.unpublish(id);
	}

	/** Publishes a changed version. */
	change(
		host: TriggerHost,
		id: string,
		change: (workflow: StoredWorkflow) => StoredWorkflow,
	): void {
		const workflow = host.workflow(id);
		if (!workflow || !host.isPublished(id)) return;
		host.republish(id, (stored) => {
			const former = this.end(host, id);
			const changed = change(stored);
			this.watch(host, changed, former);
			return changed;
		});
	}

	kill(kill: () => void): void {
		this.kills.push(this.world.clock.now);
		kill();
	}

	startClosing(): void {
		this.closing = this.world.clock.now;
	}

	startLastRound(): void {
		this.lastRound = this.world.clock.now;
	}

	/** Notes which webhooks and publications exist. */
	checkWebhooks(): void {
		for (const host of this.world.hosts) {
			for (const { id } of host.all.filter((workflow) => host.isRegistered(workflow.id))) {
				this.live.add(`${host.settings.origin} ${id}`);
			}
		}
		for (const { id, webhooks } of this.world.maxun.robots.values()) {
			for (const { url } of webhooks) {
				this.webhooks.push({ robotId: id, url: url.split('?')[0] ?? url });
			}
		}
	}

	get starts(): Start[] {
		return this.world.hosts.flatMap(({ starts }) => starts);
	}

	/** The workflow waits from now on, also for what it missed since a former publication for the same runs. */
	private watch(host: TriggerHost, workflow: StoredWorkflow, former?: Watch): void {
		const { parameters, type } = workflow.trigger;
		const { robotIds, events, options } = parameters;
		const settings = typeof options === 'object' && options !== null ? options : {};
		const watch: Watch = {
			host,
			workflow,
			type,
			robotIds: Array.isArray(robotIds) ? robotIds.map(String) : [],
			events: Array.isArray(events) ? events.map(String) : [],
			catchUp: !('catchUp' in settings) || settings.catchUp !== false,
			from: this.world.clock.now,
			to: Infinity,
		};
		if (former && continues(watch, former)) watch.from = former.from;
		this.watches.push(watch);
	}

	/** @returns the publication that ends */
	private end(host: TriggerHost, id: string): Watch | undefined {
		const open = this.watches.filter(
			(watch) => watch.host === host && watch.workflow.id === id && watch.to === Infinity,
		);
		for (const watch of open) watch.to = this.world.clock.now;
		return open.at(-1);
	}

	/** Whether the watch lasted until the end. */
	isLive({ host, workflow, to }: Watch): boolean {
		return to >= this.closing && this.live.has(`${host.settings.origin} ${workflow.id}`);
	}

	/** Whether the watch's criteria include the run. */
	isWanted(run: Run, watch: Watch): boolean {
		const { robotIds, events, to } = watch;
		const event = { success: 'run_completed', failed: 'run_failed', aborted: 'run_aborted' };
		if (run.finishedAt === undefined || run.status === 'queued' || run.status === 'running') {
			return false;
		}
		const isIn = beginningOf(watch) < run.finishedAt && run.finishedAt < to;
		return isIn && robotIds.includes(run.robotId) && events.includes(event[run.status]);
	}
}
