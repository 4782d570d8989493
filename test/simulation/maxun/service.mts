import type { Clock } from '../clock.mts';
import type { Network, Response } from '../network.mts';
import { KEYS } from '../origins.mts';
import { textOn, type Page } from './page.mts';

/** What happens in a run. */
export interface RunPlan {
	seconds: number;
	status: 'success' | 'failed' | 'aborted';
	/** The number of rows that it captures. */
	rows: number;
}

const DEFAULT_PLAN: RunPlan = { seconds: 5, status: 'success', rows: 1 };

export interface Webhook {
	id: string;
	url: string;
	events: string[];
	active: boolean;
	retryAttempts: number;
	retryDelay: number;
	timeout: number;
}

export interface Robot {
	id: string;
	name: string;
	type: string;
	/** Identifies the robot's purpose, as in its page's URL. */
	key: string;
	/** Epoch milliseconds, like all times here. */
	createdAt: number;
	webhooks: Webhook[];
	/** Who created it, as in the header `SENDER`; undefined for people. */
	creator?: string;
	/** Its purpose when it was created. Later, it can be moved to another page. */
	firstKey: string;
	/** What an extract robot does, as somebody or the node has stored it. */
	workflow?: unknown[];
	/** How often it runs. Any other object is another schedule. */
	schedule?: Record<string, unknown>;
}

export interface Run {
	id: string;
	robotId: string;
	robotName: string;
	/** Identifies the run's purpose; by default, its robot's. */
	key: string;
	source: 'api' | 'schedule' | 'dashboard';
	status: 'queued' | 'running' | 'success' | 'failed' | 'aborted';
	createdAt: number;
	startedAt?: number;
	finishedAt?: number;
	plan: RunPlan;
	/** Its page's design and its robot's workflow when it ended. Both may change later. */
	design?: number;
	workflow?: unknown[];
	/** What its page showed when it ended. */
	page?: Page;
	/** Who started it, as in the header `SENDER`; undefined for people and schedules. */
	starter?: string;
	/** Who canceled it, or deleted its robot. */
	canceller?: string;
	/** The text of its page, if it has a page. */
	text?: string;
	/** Whether its page differs from the last page that the robot could read. */
	isChange?: boolean;
}

export interface ServiceSettings {
	/** The number of browsers. */
	slots: number;
	/** How much later lists and runs show a change, in milliseconds. */
	lag: number;
	/** Whether deliveries contain the run's ID, and in which form. */
	deliveries: 'snake' | 'camel' | 'flat' | 'without ID' | 'unknown field';
	rateLimit: number;
	/** A self-hosted server's time zone. */
	timezone?: string;
	/** By how many milliseconds the server's clock is ahead. */
	skew?: number;
	/** An entry that the documents don't allow. All lists contain it. */
	odd?: OddEntry;
	/** Runs without times: the queued runs, or all. */
	timeless?: 'queued' | 'all';
	/** The number of robots that the plan allows. */
	mostRobots?: number;
}

/** A run with a null status or type, or null instead of a run. */
export type OddEntry = 'null status' | 'null type' | 'null';

/** Viewers can read, members can also create, change and run, and admins can also delete. */
export type Role = 'viewer' | 'member' | 'admin';

/** The units of schedules, in milliseconds. */
const UNITS: Record<string, number> = {
	MINUTES: 60_000,
	HOURS: 3_600_000,
	// Longer than a history, and the longest time of a timer.
	MONTHS: 2 ** 31 - 1,
};

const ENDED = ['success', 'failed', 'aborted'];

export const hasEnded = ({ status }: Run) => ENDED.includes(status);

/** What a run captures, unless its robot has a workflow. */
export const rowsOf = ({ key, plan }: Run) =>
	Array.from({ length: plan.rows }, (_, row) => ({ key, row }));

/** Robots, runs, browsers and webhooks on both kinds of server. Written from the API documents. */
export class Service {
	readonly robots = new Map<string, Robot>();
	readonly runs = new Map<string, Run>();
	/** All robots and runs that ever existed. */
	readonly past = { robots: new Map<string, Robot>(), runs: new Map<string, Run>() };
	/** What happens in the runs, by key. */
	readonly plans = new Map<string, RunPlan>();
	/** The API keys and their rights. */
	readonly roles = new Map<string, Role>([[KEYS.own, 'admin']]);
	/** Pages for which Maxun rejects robots, by key. */
	readonly refusedPages = new Set<string>();
	/** The design of all pages. It changes when somebody redesigns them. */
	design = 0;
	/** What pages show, by key. Other pages don't change. */
	readonly pages = new Map<string, Page>();
	/** Robots that can't be found for now, by ID. */
	readonly hidden = new Map<string, true>();
	/** Robots whose runs can't be read one by one, by ID, with the status of the responses. */
	readonly broken = new Map<string, number>();
	/** Called with each delivery. */
	onDelivery: (delivery: { url: string; body: object }) => void = () => {};
	/** All deliveries so far. */
	readonly deliveries: Array<{ url: string; body: object }> = [];
	/** The URLs that got runs' events, by run ID. */
	readonly announced = new Map<string, string[]>();
	private readonly onEnd = new Map<string, Array<() => void>>();
	private ids = 0;
	private minute = 0;
	private requests = 0;

	constructor(
		readonly clock: Clock,
		private readonly network: Network,
		readonly settings: ServiceSettings,
		/** A part of each ID, which differs between accounts. */
		private readonly account = '',
	) {}

	id(kind: string): string {
		return `${kind}-${this.account}${++this.ids}`;
	}

	/** The server's time, in epoch milliseconds. */
	get time(): number {
		return this.clock.now + (this.settings.skew ?? 0);
	}

	createRobot({
		name,
		...fields
	}: Pick<Robot, 'type' | 'key' | 'creator' | 'workflow'> & { name?: string }): Robot {
		const id = this.id('robot');
		const createdAt = this.clock.now;
		const made = { name: name ?? id, id, createdAt, webhooks: [], firstKey: fields.key };
		const robot: Robot = { ...fields, ...made };
		this.robots.set(id, robot);
		this.past.robots.set(id, robot);
		return robot;
	}

	/** @returns false if active runs prevent it */
	deleteRobot(id: string): boolean {
		const own = [...this.runs.values()].filter(({ robotId }) => robotId === id);
		if (!own.every(hasEnded)) return false;
		this.robots.delete(id);
		for (const run of own) this.runs.delete(run.id);
		return true;
	}

	start(
		robot: Robot,
		key = robot.key,
		source: Run['source'] = 'api',
		starter: string | undefined = undefined,
	): Run {
		const run: Run = {
			id: this.id('run'),
			robotId: robot.id,
			robotName: robot.name,
			key,
			source,
			status: 'queued',
			createdAt: this.clock.now,
			plan: this.plans.get(key) ?? DEFAULT_PLAN,
			starter,
		};
		this.add(run);
		this.fillSlots();
		return run;
	}

	protected add(run: Run): void {
		this.runs.set(run.id, run);
		this.past.runs.set(run.id, run);
	}

	/** Runs a robot regularly until it gets another schedule. */
	setSchedule(robot: Robot, schedule?: Robot['schedule']): void {
		robot.schedule = schedule;
		if (!schedule) return;
		const every = Number(schedule.runEvery) * (UNITS[String(schedule.runEveryUnit)] ?? NaN);
		const run = () => {
			if (robot.schedule !== schedule || !this.robots.has(robot.id)) return;
			this.start(robot, robot.key, 'schedule');
			this.clock.after(every, run, null);
		};
		this.clock.after(every, run, null);
	}

	/** Resolves when the run ends. */
	async ending({ id }: Run): Promise<void> {
		await new Promise<void>((resolve) =>
			this.onEnd.set(id, [...(this.onEnd.get(id) ?? []), resolve]),
		);
	}

	end(run: Run, status: 'success' | 'failed' | 'aborted'): void {
		if (hasEnded(run)) return;
		const { workflow } = this.robots.get(run.robotId) ?? {};
		Object.assign(run, { status, finishedAt: this.clock.now, design: this.design, workflow });
		const page = this.pages.get(run.key);
		if (page) Object.assign(run, { page, text: textOn(page) });
		for (const resolve of this.onEnd.get(run.id) ?? []) resolve();
		// Maxun doesn't send a delivery for a canceled run.
		if (status !== 'aborted') this.announce(run);
		this.fillSlots();
	}

	/** A run as lists and reads show it now; undefined if they don't show it yet. */
	shown(run: Run): Run | undefined {
		if (this.settings.lag === 0) return run;
		if (this.isHidden(run.createdAt)) return undefined;
		const isLate = run.finishedAt !== undefined && this.isHidden(run.finishedAt);
		return isLate ? { ...run, status: 'running', finishedAt: undefined } : run;
	}

	/** Whether a change at this time doesn't show yet. A clock that was set back doesn't hide anything. */
	private isHidden(time: number): boolean {
		const { now } = this.clock;
		return time <= now && now < time + this.settings.lag;
	}

	get shownRuns(): Run[] {
		const shown: Run[] = [];
		for (const run of this.runs.values()) {
			const seen = this.shown(run);
			if (seen) shown.push(seen);
		}
		return shown.reverse();
	}

	/** How many requests are left in this minute. */
	get remaining(): number {
		return Math.max(0, this.settings.rateLimit - this.requests);
	}

	/** Counts a request. @returns the seconds to wait if there were too many requests */
	throttle(): number | undefined {
		const minute = Math.floor(this.clock.now / 60_000);
		if (minute !== this.minute) this.requests = 0;
		this.minute = minute;
		if (++this.requests <= this.settings.rateLimit) return undefined;
		return Math.ceil((minute + 1) * 60 - this.clock.now / 1000);
	}

	robot(id: string): Robot | undefined {
		return this.hidden.has(id) ? undefined : this.robots.get(id);
	}

	/** Sends a sample event. @returns the response's status */
	async sample({ url, id }: Webhook): Promise<number> {
		const timestamp = new Date(this.time).toISOString();
		const body = { event_type: 'webhook_test', timestamp, webhook_id: id, data: {} };
		return await this.post(url, body, 30);
	}

	private fillSlots(): void {
		let free = this.settings.slots;
		for (const { status } of this.runs.values()) if (status === 'running') free--;
		for (const run of this.runs.values()) {
			if (free <= 0) return;
			if (run.status !== 'queued') continue;
			free--;
			Object.assign(run, { status: 'running', startedAt: this.clock.now });
			this.clock.after(run.plan.seconds * 1000, () => this.end(run, run.plan.status), null);
		}
	}

	private announce(run: Run): void {
		const event = run.status === 'success' ? 'run_completed' : 'run_failed';
		for (const webhook of this.robots.get(run.robotId)?.webhooks ?? []) {
			if (!webhook.active || !webhook.events.includes(event)) continue;
			this.announced.set(run.id, [...(this.announced.get(run.id) ?? []), webhook.url]);
			void this.deliver(webhook, this.delivery(run, webhook, event));
		}
	}

	/** @returns the response's status; 0 if there is no response in time */
	async post(url: string, body: object, timeout: number): Promise<number> {
		this.deliveries.push({ url, body });
		this.onDelivery({ url, body });
		const headers = { 'content-type': 'application/json' };
		const request = { method: 'POST', url: new URL(url), headers, body };
		const response: Response = await Promise.race([
			this.network.fetch(request),
			this.clock.pause(timeout * 1000).then(() => ({ status: 0, body: '' })),
		]);
		return response.status;
	}

	private async deliver({ url, ...webhook }: Webhook, body: object): Promise<void> {
		for (let attempt = 0; attempt < webhook.retryAttempts; attempt++) {
			if (attempt > 0) await this.clock.pause(webhook.retryDelay * 1000 * 2 ** (attempt - 1));
			const status = await this.post(url, body, webhook.timeout);
			if (status >= 200 && status < 300) return;
		}
	}

	private delivery(run: Run, { id }: Webhook, event: string): object {
		const { deliveries } = this.settings;
		const timestamp = new Date(this.time).toISOString();
		const envelope = { event_type: event, timestamp, webhook_id: id };
		const { id: runId, robotId, robotName, status } = run;
		const snake = { robot_id: robotId, run_id: runId, robot_name: robotName };
		if (deliveries === 'flat') return { ...snake, timestamp, data: [], metadata: {} };
		if (deliveries === 'snake') return { ...envelope, data: { ...snake, status } };
		if (deliveries === 'camel') {
			return { ...envelope, data: { robotId, runId, robotName, status, finishedAt: timestamp } };
		}
		const hidden = deliveries === 'unknown field' ? { execution: { reference: runId } } : {};
		return { ...envelope, data: { robotName, status, ...hidden } };
	}
}
