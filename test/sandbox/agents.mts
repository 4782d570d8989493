import { setTimeout as sleep } from 'node:timers/promises';
import { planAgent } from './engine/agent.mts';
import { messageOf } from './errors.mts';
import type { Robot } from './model.mts';
import type { World } from './world.mts';

/** Builds agents in the background: `creating` becomes `ready`, or `failed` with a reason. */
export class AgentBuilder {
	private readonly stopping = new AbortController();
	private readonly pending = new Set<Promise<void>>();

	constructor(private readonly world: World) {}

	start(robot: Robot): void {
		const done: Promise<void> = this.build(robot).finally(() => this.pending.delete(done));
		this.pending.add(done);
	}

	resume(): void {
		for (const robot of this.world.state.robots) {
			if (robot.status === 'creating') this.start(robot);
		}
	}

	async close(): Promise<void> {
		this.stopping.abort();
		await Promise.all(this.pending);
	}

	private async build(robot: Robot): Promise<void> {
		const { signal } = this.stopping;
		try {
			await sleep(this.world.settings.agentBuildSeconds * 1000, undefined, { signal });
			const { url, recipe } = await planAgent(this.world, robot, signal);
			Object.assign(robot, { status: 'ready', url, recipe });
		} catch (error) {
			if (signal.aborted) return;
			robot.status = 'failed';
			robot.error = messageOf(error);
		}
		robot.updatedAt = new Date().toISOString();
		this.world.store.touch();
	}
}
