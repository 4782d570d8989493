import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterEach, beforeEach, expect } from 'vitest';
import { WaitingHost, type WaitingOptions } from '../../helpers/engine/index.mts';
import { locator, maxun } from '../../helpers/parameters.mts';
import type { TestSandbox } from '../../helpers/sandbox.mts';
import { useSandbox } from '../../helpers/useSandbox.mts';

class PausedExecutions {
	private started: WaitingHost | undefined;

	constructor(readonly sandbox: TestSandbox) {}

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

	/** Starts a host and an execution that pauses. @returns the execution */
	readonly pause = async (
		items: IDataObject[],
		...setup: Parameters<PausedExecutions['startHost']>
	): Promise<string> => {
		await this.startHost(...setup);
		const execution = this.host.start(items);
		await this.host.reaches(execution, ['waiting']);
		return execution;
	};

	/** Waits until an execution has paused for the second time, or for a later time. */
	readonly pausesAgain = async (execution: string, lives = 2): Promise<void> =>
		await expect.poll(() => this.host.of(execution)).toMatchObject({ status: 'waiting', lives });

	/** Waits for the end of an execution. @returns its items, the items of the error output, and its error */
	readonly end = async (execution: string) => {
		const { run, status } = await this.host.reaches(execution, ['success', 'error']);
		// In n8n 1, a node that fails after a pause has two runs.
		const [items = [], failed = []] = status === 'success' ? this.host.output(execution) : [];
		const json = items.map((item) => item.json);
		return { status, items, json, failed, error: run?.data.resultData.error };
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
export function usePausing(sandbox: TestSandbox = useSandbox()): PausedExecutions {
	const paused = new PausedExecutions(sandbox);
	const settings = { slots: 20, runSeconds: 600, agentBuildSeconds: 0, webhookDelaySeconds: 0 };
	beforeEach(async () => await sandbox.control.settings(settings));
	afterEach(async () => await paused.clear());
	return paused;
}
