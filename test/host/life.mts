import { setTimeout as sleep } from 'node:timers/promises';
import { to, TRIGGER } from './nodes.mts';
import type { Stage } from './stage.mts';
import { stateOf } from './watched.mts';

/** How many runs may end during a publication. More runs would slow it down. */
const MOST_RUNS = 10;

/** A workflow's life. Each method is a user's action. */
export class Life {
	active = false;
	/** Runs that must start the workflow. Some end while it is being published again. */
	readonly runIds: string[] = [];
	private name = TRIGGER;
	private chosen: string[];

	constructor(
		private readonly stage: Stage,
		readonly workflowId: string,
		private readonly robots: string[],
	) {
		this.chosen = robots.slice(1);
	}

	readonly acts: Record<string, () => Promise<void>> = {
		activate: async () => {
			await this.stage.rest.publish(this.workflowId);
			this.active = true;
		},
		deactivate: async () => {
			await this.stage.rest.deactivate(this.workflowId);
			this.active = false;
		},
		'test listen': async () => {
			await this.stage.rest.listen(this.workflowId, this.name);
			await sleep(random(2) * 2500);
			await this.stage.rest.stopListening(this.workflowId);
		},
		rename: async () => await this.change({ name: `Watch ${random(1_000_000)}` }),
		robots: async () => {
			const without = this.robots[random(this.robots.length)];
			await this.change({ chosen: this.robots.filter((robotId) => robotId !== without) });
		},
		restart: async () => await this.stage.n8n.restart(),
	};

	/** The robots with the workflow's webhook at the end. */
	get watched(): string[] {
		return this.active ? this.chosen : [];
	}

	private async change({ name = this.name, chosen = this.chosen }): Promise<void> {
		const changes = { name, parameters: { robotIds: chosen } };
		const connections = { [name]: to('Done') };
		await this.stage.rest.changeNode(this.workflowId, this.name, changes, { connections });
		const kept = chosen.find((robotId) => this.chosen.includes(robotId));
		[this.name, this.chosen] = [name, chosen];
		if (this.active) await this.publishWhileRunning(kept ?? '');
	}

	/** Publishes the workflow again. A robot runs in the meantime, even while n8n has removed the trigger. */
	private async publishWhileRunning(robotId: string): Promise<void> {
		let isPublishing = true;
		const publishing = this.stage.rest.publish(this.workflowId).finally(() => {
			isPublishing = false;
		});
		for (let count = 0; isPublishing && count < MOST_RUNS; count++) {
			this.runIds.push(String((await this.stage.maxun.run(robotId)).id));
			await sleep(150);
		}
		await publishing;
	}
}

const random = (limit: number) => Math.floor(Math.random() * limit);

/** The URLs to which robots send events, without their queries. */
export async function webhooksByRobot(stage: Stage): Promise<Record<string, string[]>> {
	const { robots } = await stateOf(stage);
	return Object.fromEntries(
		robots.map(({ id, webhooks }) => [
			id,
			webhooks.flatMap(({ url, active }) => (active ? [url.split('?')[0] ?? ''] : [])),
		]),
	);
}

/** Keeps counting a robot's webhooks with one URL. */
export function watchWebhooks(stage: Stage) {
	let going = true;
	let most = 0;
	let looks = 0;
	const watching = (async () => {
		while (going) {
			for (const urls of Object.values(await webhooksByRobot(stage))) {
				const counts = urls.map((url) => urls.filter((other) => other === url).length);
				most = Math.max(most, ...counts);
			}
			looks++;
			await sleep(50);
		}
	})();
	// If the test fails, nothing awaits it.
	watching.catch(() => undefined);
	return {
		end: async () => {
			going = false;
			await watching;
			return { most, looks };
		},
	};
}
