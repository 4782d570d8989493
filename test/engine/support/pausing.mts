import type { INodeParameters } from 'n8n-workflow';
import { afterEach, beforeEach } from 'vitest';
import { WaitingHost, type WaitingOptions } from '../../helpers/engine/index.mts';
import { locator, maxun } from '../../helpers/parameters.mts';
import type { TestSandbox } from '../../helpers/sandbox.mts';

class PausedExecutions {
	private started: WaitingHost | undefined;

	constructor(private readonly sandbox: TestSandbox) {}

	get host(): WaitingHost {
		if (this.started === undefined) throw new Error('The host has not been started');
		return this.started;
	}

	/** Starts a host whose node runs the item's robot, or uses the given parameters. */
	readonly startHost = async (
		parameters: INodeParameters = {},
		options: Partial<WaitingOptions> = {},
	): Promise<void> => {
		this.started = await WaitingHost.start({
			parameters: maxun('run', 'runAndWait', {
				...(parameters.operation === undefined && { output: 'simplified' }),
				robotId: locator('={{ $json.robotId }}'),
				options: { pauseAfter: 1 },
				...parameters,
			}),
			credentials: this.sandbox.credentials(),
			...options,
		});
	};

	readonly finishRuns = async (): Promise<void> => {
		const { owner, control } = this.sandbox;
		await Promise.all((await owner.activeRuns()).map(async (id) => await control.finishRun(id)));
	};

	readonly passTime = async (execution: string): Promise<void> => {
		this.host.expire(execution);
		this.host.resumeByTimer(execution);
	};

	readonly finishAndResume = async (execution: string): Promise<void> => {
		await this.finishRuns();
		await this.passTime(execution);
	};

	async clear(): Promise<void> {
		this.started = undefined;
		const { owner, control, demo } = this.sandbox;
		await control.abortRuns(await owner.activeRuns());
		const kept = Object.values(demo).map(String);
		const robots = (await owner.get('/robots?limit=100')).list.map(({ id }) => String(id));
		const made = robots.filter((id) => !kept.includes(id));
		await Promise.all(made.map(async (id) => await owner.delete(`/robots/${id}`)));
	}
}

/** Runs stay active until a test ends them. Removes everything after a test. */
export function usePausing(sandbox: TestSandbox): PausedExecutions {
	const paused = new PausedExecutions(sandbox);
	const settings = { slots: 20, runSeconds: 600, agentBuildSeconds: 0, webhookDelaySeconds: 0 };
	beforeEach(async () => await sandbox.control.settings(settings));
	afterEach(async () => await paused.clear());
	return paused;
}
