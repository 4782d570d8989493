import { AgentBuilder } from './agents.mts';
import { Deliveries } from './deliveries.mts';
import { Fetcher } from './engine/fetcher.mts';
import { Faults } from './faults.mts';
import { RateLimits } from './rates.mts';
import { RequestLog } from './request-log.mts';
import { Runner } from './runner.mts';
import { Scheduler } from './scheduler.mts';
import { DEFAULT_SETTINGS, type Settings } from './settings.mts';
import type { Robot, State } from './model.mts';
import type { Store } from './store.mts';

/** The parts of one sandbox. Each part may use the others. */
export class World {
	readonly settings: Settings;
	readonly rates: RateLimits;
	readonly requests = new RequestLog();
	readonly faults = new Faults();
	readonly fetcher = new Fetcher();
	readonly deliveries: Deliveries;
	readonly runner: Runner;
	readonly agents: AgentBuilder;
	readonly scheduler: Scheduler;

	constructor(
		readonly store: Store,
		settings?: Partial<Settings>,
	) {
		this.settings = { ...DEFAULT_SETTINGS, ...settings };
		this.rates = new RateLimits(this.settings);
		this.deliveries = new Deliveries(this);
		this.runner = new Runner(this);
		this.agents = new AgentBuilder(this);
		this.scheduler = new Scheduler(this);
	}

	get state(): State {
		return this.store.state;
	}

	/** The sandbox's own origin, such as `http://127.0.0.1:8787`. */
	get origin(): string {
		return this.state.origin;
	}

	get slots(): number {
		const { slots, selfHostedForm, selfHostedSlots } = this.settings;
		return selfHostedForm === 'observed' ? Math.min(slots, selfHostedSlots) : slots;
	}

	get baseUrl(): string {
		return `${this.origin}/api/v1`;
	}

	add(robot: Robot): Robot {
		this.state.robots.push(robot);
		this.store.touch();
		return robot;
	}

	/** The robot of a run or a delivery. */
	robotOf({ robotId }: { robotId: string }): Robot | undefined {
		return this.state.robots.find(({ id }) => id === robotId);
	}

	resume(): void {
		this.runner.resume();
		this.deliveries.resume();
		this.agents.resume();
		this.scheduler.wake();
	}

	async close(): Promise<void> {
		this.scheduler.close();
		await Promise.all([this.runner.close(), this.agents.close(), this.deliveries.close()]);
		await this.fetcher.close();
		this.store.save();
	}
}
