import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { newRobot } from '../helpers/fixtures.mts';
import { until } from '../helpers/until.mts';
import { byId, call, chain, maxunNode, node, noOp, webhookNode } from './nodes.mts';
import type { ExecutionEntry, WorkflowSource } from './rest.mts';
import type { Stage } from './stage.mts';

export const WAITING = 'Run and wait';

/**
 * A workflow that starts on a call `{robotId}` at `/webhook/<path>`, runs the robot, and passes the result to a node
 * called `After`.
 * @param pauseAfter seconds until the execution pauses; 0 for never
 * @param timeoutMinutes the timeout in minutes
 */
export const pausingWorkflow = (
	name: string,
	path: string,
	{ pauseAfter, timeoutMinutes = 10 }: { pauseAfter: number; timeoutMinutes?: number },
): WorkflowSource =>
	chain(name, [
		webhookNode('Start', path),
		maxunNode(WAITING, 'cloud', 'run', 'runAndWait', {
			output: 'simplified',
			robotId: byId('={{ $json.body.robotId }}'),
			limits: { pauseAfter, timeoutMinutes },
		}),
		noOp('After'),
	]);

interface Expectation {
	/** The number of robots. Each reads a page of the demo shop. */
	robots: number;
	pauseAfter: number;
	timeoutMinutes?: number;
	/** The ID of the workflow that n8n starts when an execution fails. */
	errorWorkflow?: string;
	url?: string;
}

export class WaitingWorkflow {
	private constructor(
		private readonly stage: Stage,
		readonly id: string,
		private readonly address: string,
		readonly robots: string[],
	) {}

	static async publish(
		stage: Stage,
		name: string,
		{ robots: count, url = stage.n8n.url, errorWorkflow, ...settings }: Expectation,
	): Promise<WaitingWorkflow> {
		const { rest, sandbox } = stage;
		const robots: string[] = [];
		for (let index = 0; index < count; index++) {
			robots.push(await newRobot(sandbox, { name: `${name} ${index}` }));
		}
		const path = name.toLowerCase().replace(/\W+/g, '-');
		const source = pausingWorkflow(name, path, settings);
		const { id } = await rest.createWorkflow({
			...source,
			settings: { executionOrder: 'v1', errorWorkflow },
		});
		await rest.activate(id);
		return new WaitingWorkflow(stage, id, `${url}/webhook/${path}`, robots);
	}

	async call(robotIds: string[]): Promise<void> {
		for (const robotId of robotIds) {
			const response = await call(this.address, { robotId });
			await response.text();
		}
	}

	async inState(...states: string[]): Promise<ExecutionEntry[]> {
		const all = await this.stage.rest.executions(this.id);
		return all.filter(({ status }) => states.includes(status));
	}

	async reach(count: number, limit: number, ...states: string[]): Promise<ExecutionEntry[]> {
		return await until(`${count} executions that are ${states.join(' or ')}`, limit, async () => {
			const found = await this.inState(...states);
			if (found.length < count) await sleep(300);
			return found.length >= count ? found : undefined;
		});
	}

	/** The runs in the results of executions, each of which has resumed once, with the data of one run. */
	async resultsOf(executions: ExecutionEntry[]) {
		return await Promise.all(
			executions.map(async ({ id }) => {
				const { runs } = await this.stage.rest.execution(id);
				const items = runs.After?.map(({ data }) => data?.main?.[0]?.map(({ json }) => json));
				const data = { markdown: expect.any(String) };
				expect(items).toMatchObject([[{ status: 'success', data }]]);
				expect(runs[WAITING]).toHaveLength(1);
				return items?.[0]?.[0] ?? {};
			}),
		);
	}
}

/** A workflow that n8n starts when another workflow's execution fails. */
export const ERROR_WORKFLOW = chain('After a failure', [
	node('Failure', 'n8n-nodes-base.errorTrigger', 1, {}),
]);
