import type { INode, INodeExecutionData, Workflow } from 'n8n-workflow';
import {
	callHook,
	callWebhook,
	register,
	type HookName,
} from '../../helpers/engine/trigger-calls.mts';
import type { Request, Response } from '../network.mts';
import type { Test } from './calls.mts';
import { pathOf, WebhookExchange } from './exchange.mts';
import type { N8n } from './host.mts';
import { open, type StoredWorkflow } from './workflows.mts';

/** How long the editor waits for an event, in milliseconds. */
const LISTENING = 120_000;

interface Listening {
	stored: StoredWorkflow;
	workflow: Workflow;
	node: INode;
	test: Test;
	end: () => void;
}

/** Tests webhook triggers in the editor: with their own URL and their own, empty static data (TestWebhooks). */
export class Tester {
	private readonly listening = new Map<string, Listening>();

	constructor(private readonly n8n: N8n) {}

	/** Listens for an event, like _Execute step_. */
	test(stored: StoredWorkflow): void {
		const { main, isUsable, clock } = this.n8n;
		if (!isUsable || stored.trigger.type !== 'maxunTrigger') return;
		const copy = { ...stored, trigger: structuredClone(stored.trigger) };
		clock.after(0, () => void this.listen(copy).catch(() => undefined), main);
	}

	async receive(request: Request): Promise<Response> {
		const found = this.listening.get(request.url.pathname);
		if (!found) return { status: 404, body: { message: 'Not registered' } };
		const { stored, workflow, node, test, end } = found;
		const exchange = new WebhookExchange(request);
		const { additional } = this.n8n.newCall('test', stored.id, this.n8n.main);
		Object.assign(additional, exchange.fields);
		const called = { workflow, node, additional, path: pathOf(node) };
		const start = async ([items = []]: INodeExecutionData[][]) => {
			if (test.start) return;
			const { id: workflowId, trigger, staticData } = stored;
			const { n8n } = this;
			const call = { workflowId, trigger, process: n8n.main, began: test.began };
			// n8n removes the test's webhook in the meantime.
			end();
			test.start = { host: n8n, accesses: [], isPoll: false, items, staticData, ...call };
			await n8n.executions.begin(test.start, 'manual');
		};
		const { webhookResponse } = await callWebhook(called, true, { start, save: saveNothing });
		exchange.respond(webhookResponse);
		return exchange.response;
	}

	private async listen(stored: StoredWorkflow): Promise<void> {
		const { main, clock } = this.n8n;
		const workflow = open(stored, main, '{}', false);
		const node = workflow.getNode(stored.trigger.name);
		if (!node) return;
		const test: Test = { workflowId: stored.id, trigger: stored.trigger, began: clock.now };
		this.n8n.tests.push(test);
		const path = `/webhook-test/${pathOf(node)}`;
		const ended = new Promise<void>((end) => {
			this.listening.set(path, { stored, workflow, node, test, end });
			clock.after(LISTENING, end);
		});
		try {
			await register((method) => this.hook(stored, workflow, node, method));
			await ended;
		} catch (error) {
			test.error = String(error);
		}
		this.listening.delete(path);
		await this.hook(stored, workflow, node, 'delete');
	}

	private async hook(
		stored: StoredWorkflow,
		workflow: Workflow,
		node: INode,
		method: HookName,
	): Promise<boolean> {
		const { additional } = this.n8n.newCall('test', stored.id, this.n8n.main);
		const called = { workflow, node, additional, path: pathOf(node) };
		return await callHook(called, method, 'manual', saveNothing);
	}
}

/** A test's static data isn't saved. */
const saveNothing = async () => undefined;
