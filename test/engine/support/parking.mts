import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterEach, beforeEach } from 'vitest';
import { lineOf, WaitingHost, type WaitingOptions } from '../harness/index.mts';
import { locator, maxun } from './parameters.mts';
import type { World } from './sandbox.mts';

/** What the tests of paused executions do over and over. */
class Parked {
	/** Robots that are deleted after the test. */
	readonly robots: string[] = [];
	private started: WaitingHost | undefined;
	private count = 0;

	constructor(private readonly world: World) {}

	get host(): WaitingHost {
		if (this.started === undefined) throw new Error('The host has not been started');
		return this.started;
	}

	/** Starts a host whose node runs the robot of the item, or does what the parameters say. */
	readonly startHost = async (
		parameters: INodeParameters = {},
		options: Partial<WaitingOptions> = {},
	): Promise<void> => {
		this.started = await WaitingHost.start({
			parameters: maxun('run', 'runAndWait', {
				robotId: locator('={{ $json.robotId }}'),
				options: { parkAfter: 1 },
				...parameters,
			}),
			credentials: this.world.credentials(),
			...options,
		});
	};

	readonly newRobot = async (): Promise<string> => {
		const id = await this.world.control.robot({
			type: 'scrape',
			name: `Parked ${++this.count}`,
			url: `${this.world.sandbox.siteUrl}/products`,
			formats: ['markdown'],
		});
		this.robots.push(id);
		return id;
	};

	readonly sentLines = async (): Promise<string[]> => (await this.world.sent()).map(lineOf);

	readonly webhooksOf = async (robotId: string): Promise<IDataObject[]> => {
		const { body } = await this.world.ask(`/robots/${robotId}/webhooks`);
		return Array.isArray(body.data) ? body.data : [];
	};

	readonly activeRuns = async (): Promise<string[]> => {
		const { body } = await this.world.ask('/runs/active');
		const runs: unknown[] = Array.isArray(body.data) ? body.data : [];
		return runs.map((run) => String(Object(run).id));
	};

	/** The time of a wait comes now. */
	readonly passTime = async (execution: string): Promise<void> => {
		this.host.expire(execution);
		this.host.wakeByTime(execution);
	};

	async clear(): Promise<void> {
		await this.started?.close();
		this.started = undefined;
		const ids = this.robots.splice(0);
		await Promise.all(
			ids.map(async (id) => await this.world.ask(`/robots/${id}`, { method: 'DELETE' })),
		);
	}
}

/** Calm settings before each test, and nothing left after it. */
export function useParking(world: World): Parked {
	const parked = new Parked(world);
	beforeEach(
		async () => await world.control.settings({ slots: 20, runSeconds: 2, webhookDelaySeconds: 0 }),
	);
	afterEach(async () => await parked.clear());
	return parked;
}
