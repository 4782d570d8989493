import { setTimeout as sleep } from 'node:timers/promises';
import { Background } from './background.mts';
import { planAgent } from './engine/agent.mts';
import { messageOf } from './errors.mts';
import type { Robot } from './model.mts';
import type { World } from './world.mts';

/** Builds agents in the background: `creating` becomes `ready`, or `failed` with a reason. */
export class AgentBuilder {
	private readonly background = new Background();

	constructor(private readonly world: World) {}

	start(robot: Robot): void {
		this.background.add(this.build(robot));
	}

	resume(): void {
		for (const robot of this.world.state.robots) {
			if (robot.status === 'creating') this.start(robot);
		}
	}

	async close(): Promise<void> {
		await this.background.close();
	}

	private async build(robot: Robot): Promise<void> {
		const { signal } = this.background;
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
