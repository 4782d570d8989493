import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { z } from 'zod';
import { until } from '../helpers/until.mts';
import { call, chain, node, TRIGGER, watching, webhookNode } from './nodes.mts';
import { ACTION, type doing, execute, NEW_SECOND } from './own-server.mts';
import type { RealServer } from './real-server.mts';
import { ENDED, type Execution, itemsOf, jsonOf, type WorkflowSource } from './rest.mts';
import { openStage, type Stage } from './stage.mts';

export const MINUTE = 60_000;

const Event = z
	.object({
		event: z.string(),
		run: z.object({ id: z.string(), source: z.string().optional() }),
		diff: z.string().optional(),
		dataError: z.string().optional(),
	})
	.passthrough();

/** A real n8n instance that uses a real self-hosted server. Robots read the demo shop on this computer. */
export class RealStage {
	/** The demo shop's URL, as the server reaches it. */
	readonly site: string;

	private constructor(
		readonly stage: Stage,
		private readonly server: RealServer,
	) {
		const host = server.settings.MAXUN_SEES_US_AS ?? '127.0.0.1';
		this.site = stage.sandbox.siteUrl.replace('127.0.0.1', host);
	}

	static async open(server: RealServer): Promise<RealStage> {
		const stage = await openStage({ host: server.settings.MAXUN_SEES_US_AS });
		await server.replaceSandbox(stage.rest);
		return new RealStage(stage, server);
	}

	async close(): Promise<void> {
		await this.server.cleanUp();
		await this.stage.close();
	}

	slowPage(seconds: number): string {
		return `${this.site}/slow?seconds=${seconds}`;
	}

	async execute(workflow: WorkflowSource): Promise<Execution> {
		return await execute(this.stage, workflow, 5 * MINUTE);
	}

	/** Runs an operation manually. @returns its items */
	async outputOf(workflow: WorkflowSource) {
		const execution = await this.execute(workflow);
		expect(execution.error?.message).toBeUndefined();
		return jsonOf(execution, ACTION);
	}

	/** Starts an operation in production with these items. @returns the workflow's ID */
	async produce(workflow: ReturnType<typeof doing>, items: object[]): Promise<string> {
		const path = randomUUID();
		const actions = workflow.nodes.slice(1);
		const split = node('Split', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body.items' });
		const nodes = [webhookNode('Call', path), split, ...actions];
		const { id } = await this.stage.rest.createWorkflow(chain(workflow.name, nodes));
		await this.stage.rest.publish(id);
		await call(`${this.stage.n8n.url}/webhook/${path}`, { items });
		return id;
	}

	/** Waits until a workflow's only execution has one of these statuses. */
	async reaches(workflowId: string, limit: number, states: Iterable<string>) {
		return await until(`an execution that is ${[...states].join(' or ')}`, limit, async () => {
			const [entry, ...others] = await this.stage.rest.executions(workflowId);
			expect(others).toEqual([]);
			await sleep(500);
			return entry && [...states].includes(entry.status) ? entry : undefined;
		});
	}

	async ended(workflowId: string, limit: number): Promise<Execution> {
		return await this.stage.rest.execution((await this.reaches(workflowId, limit, ENDED)).id);
	}

	/** Publishes a trigger for a robot. @returns the workflow's ID */
	async publish(robotId: string, parameters: Record<string, unknown> = {}): Promise<string> {
		const { id } = await this.stage.rest.createWorkflow(
			watching('selfHosted', [robotId], parameters),
		);
		await this.stage.rest.publish(id);
		await sleep(NEW_SECOND);
		return id;
	}

	/** The events that started a workflow, and the messages of failed executions. */
	async eventsOf(workflowId: string) {
		const { rest } = this.stage;
		const entries = await rest.executions(workflowId);
		const finished = await Promise.all(entries.map(async ({ id }) => await rest.finished(id)));
		const events = finished
			.flatMap((execution) => itemsOf(execution, TRIGGER))
			.map(({ json }) => Event.parse(json));
		const errors = finished.flatMap(({ error }) => error?.message ?? []);
		return { events, runs: events.map(({ run }) => run), errors };
	}

	/**
	 * Waits for events, and then a while for events that are sent twice.
	 *
	 * @param count how many events to expect
	 * @param limit milliseconds
	 */
	async allEvents(workflowId: string, count: number, limit: number) {
		await until(`${count} events`, limit, async () => {
			await sleep(1000);
			return (await this.eventsOf(workflowId)).runs.length >= count;
		});
		await sleep(MINUTE / 4);
		return await this.eventsOf(workflowId);
	}
}
