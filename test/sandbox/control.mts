import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { KEYS } from './accounts.mts';
import { ApiError, badRequest, notFound } from './errors.mts';
import { newRobot, newRun, type Owner } from './factory.mts';
import { type FaultFields, faultSchema } from './faults.mts';
import {
	type DeliveryLogEntry,
	isFinished,
	type Recipe,
	type Robot,
	type RobotType,
	type Run,
	runSchema,
	type State,
} from './model.mts';
import { lineOf, type RecordedRequest } from './request-log.mts';
import { type Settings, settingsPatch } from './settings.mts';
import type { World } from './world.mts';

/** A robot as the dashboard creates it, with the captures of a recorded robot. */
export interface RobotFields
	extends Partial<Pick<Robot, 'url' | 'formats' | 'prompt' | 'params'>>,
		Partial<Recipe> {
	teamId?: string;
	type: RobotType;
	name: string;
}

/** What tests do with a sandbox besides using its APIs: a user's actions in the dashboard, faults, and access to its state. */
export class Control {
	constructor(private readonly world: World) {}

	/** Begins a new test: with these settings, and without active runs, faults and recorded requests. */
	async begin(settings: Settings): Promise<void> {
		await this.clear();
		const { runner, state } = this.world;
		for (const run of state.runs) if (!isFinished(run)) runner.cancel(run);
		await this.settings(settings);
	}

	/** Requests to the APIs since the last `clear`, oldest first. */
	async requests(): Promise<RecordedRequest[]> {
		return [...this.world.requests.list()];
	}

	async lines(): Promise<string[]> {
		return this.world.requests.list().map(lineOf);
	}

	async clear(): Promise<void> {
		this.world.requests.clear();
		await this.clearFaults();
	}

	async clearFaults(): Promise<void> {
		this.world.faults.clear();
	}

	async fault(fault: FaultFields): Promise<void> {
		this.world.faults.add(faultSchema.parse(fault));
	}

	async settings(changes: Partial<Settings>): Promise<void> {
		Object.assign(this.world.settings, settingsPatch.parse(changes));
		if ('rateLimitPerMinute' in changes || 'rateWindowSeconds' in changes) this.world.rates.reset();
		this.world.runner.pump();
	}

	/** @returns the robot's ID */
	async robot({ teamId, fields = null, list = null, ...rest }: RobotFields): Promise<string> {
		const recipe = fields || list ? { fields, list } : null;
		return this.world.add(newRobot(ownerOf(this.world, teamId), { ...rest, recipe })).id;
	}

	async bulkRobots(count: number, type: RobotType): Promise<string[]> {
		const { state, origin } = this.world;
		const url = `${origin}/site/products`;
		return Array.from({ length: count }, () => {
			const name = `Bulk ${type} ${state.robots.length + 1}`;
			return this.world.add(newRobot(ownerOf(this.world), { type, name, url })).id;
		});
	}

	/** Adds past runs of a robot. @returns their IDs, oldest first */
	async runs({
		robotId,
		count = 1,
		status = 'success',
		run: fields = {},
	}: {
		robotId: string;
		count?: number;
		status?: Run['status'];
		run?: object;
	}): Promise<string[]> {
		const { state, store } = this.world;
		const robot = this.world.robotOf({ robotId });
		if (robot === undefined) throw notFound('Robot');
		await sleep(2); // The runs of two calls have different times.
		const runs = Array.from({ length: count }, (_, index) => {
			const run = pastRun(robot, status, count - index);
			setFields(run, fields);
			return run;
		});
		state.runs.push(...runs);
		store.touch();
		return runs.map(({ id }) => id);
	}

	async patchRun(id: string, fields: object): Promise<void> {
		const { runner, store } = this.world;
		const run = this.run(id);
		const wasFinished = isFinished(run);
		setFields(run, fields);
		if (!wasFinished && isFinished(run)) {
			runner.forget(run);
			run.finishedAt ??= new Date().toISOString();
			runner.pump();
		}
		store.touch();
	}

	/** Ends a run as soon as its work is done, whatever the minimum duration. */
	async finishRun(id: string): Promise<void> {
		this.world.runner.hurry(this.run(id));
	}

	async abortRun(id: string): Promise<void> {
		this.world.runner.cancel(this.run(id));
	}

	/** Cancels the active runs among these runs. */
	async abortRuns(ids: string[]): Promise<void> {
		for (const id of ids) if (!isFinished(this.run(id))) await this.abortRun(id);
	}

	/** Changes the price of a product in the shop. */
	async price(productId: number, price: number): Promise<void> {
		this.world.state.prices[productId] = price;
		this.world.store.touch();
	}

	async resetPrices(): Promise<void> {
		this.world.state.prices = {};
		this.world.store.touch();
	}

	async deliveries(): Promise<DeliveryLogEntry[]> {
		return [...this.world.state.deliveryLog];
	}

	async state(): Promise<State> {
		return this.world.state;
	}

	private run(id: string): Run {
		const run = this.world.state.runs.find((candidate) => candidate.id === id);
		if (run === undefined) throw notFound('Run');
		return run;
	}
}

/** Lets a terminal use the methods of `Control`, with their arguments as a list. */
export function registerControl(root: FastifyInstance, control: Control): void {
	root.post<{ Params: { method: string } }>('/_sandbox/:method', async ({ params, body }) => {
		const method: unknown = Reflect.get(control, params.method);
		if (typeof method !== 'function') throw notFound(params.method);
		const result: unknown = await Reflect.apply(method, control, z.array(z.unknown()).parse(body));
		return { success: true, data: result };
	});
}

/** A run that ended about `age` minutes ago. */
function pastRun(robot: Robot, status: Run['status'], age: number): Run {
	const startedAt = new Date(Date.now() - (age + 1) * 60_000).toISOString();
	return newRun(robot, {
		status,
		createdAt: startedAt,
		startedAt,
		finishedAt: new Date(Date.parse(startedAt) + 5000).toISOString(),
		error: status === 'failed' ? 'The page could not be opened' : null,
	});
}

/** Sets a run's fields. Fields that the model doesn't accept become overrides. */
function setFields(run: Run, fields: object): void {
	for (const [name, value] of Object.entries(structuredClone(fields))) {
		const merged = runSchema.safeParse({ ...run, [name]: value });
		if (merged.success && name in runSchema.shape) {
			delete run.overrides[name];
			Object.assign(run, { [name]: value });
			if (name === 'startedAt' && run.startedAt !== null) run.createdAt = run.startedAt;
		} else {
			run.overrides[name] = value;
		}
	}
}

function ownerOf(world: World, teamId?: string): Owner {
	const account = world.state.accounts.find(({ key }) => key === KEYS.owner);
	if (account === undefined) throw new ApiError(500, 'The account is missing');
	if (teamId === undefined) return { account, team: null, scope: `user:${account.id}` };
	const team = world.state.teams.find(({ id }) => id === teamId);
	if (team === undefined) throw badRequest(`There is no team ${teamId}`);
	return { account, team, scope: `team:${team.id}` };
}
