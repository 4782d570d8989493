import type { INode, Workflow } from 'n8n-workflow';
import type { Request, Response } from '../network.mts';
import type { Test } from './calls.mts';
import { eventContext, hookContext } from './contexts.mts';
import type { N8n } from './host.mts';
import { WebhookResponse } from './response.mts';
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

	/** Listens for an event, as _Execute step_ does. */
	test(stored: StoredWorkflow): void {
		const { main, isUsable, clock } = this.n8n;
		if (!isUsable || stored.trigger.type !== 'maxunTrigger') return;
		const copy = { ...stored, trigger: structuredClone(stored.trigger) };
		clock.after(0, () => void this.listen(copy).catch(() => undefined), main);
	}

	async receive({ url, body }: Request): Promise<Response> {
		const found = this.listening.get(url.pathname);
		if (!found) return { status: 404, body: { message: 'Not registered' } };
		const { stored, workflow, node, test, end } = found;
		const type = this.n8n.main.node('maxunTrigger');
		const response = new WebhookResponse();
		const { additional } = this.n8n.newCall('test', stored.id, this.n8n.main);
		const exchange = { url, body, response, isTest: true };
		const context = eventContext(workflow, node, additional, exchange);
		const result = await type.webhook?.call(context);
		response.json(result?.webhookResponse);
		if (result?.workflowData) {
			test.items ??= result.workflowData[0];
			end();
		}
		return { status: response.statusCode, body: response.body };
	}

	private async listen(stored: StoredWorkflow): Promise<void> {
		const { main, clock } = this.n8n;
		const workflow = open(stored, main, '{}', false);
		const node = workflow.getNode(stored.trigger.name);
		if (!node) return;
		const test: Test = { workflowId: stored.id, trigger: stored.trigger, began: clock.now };
		this.n8n.tests.push(test);
		const path = `/webhook-test/${stored.trigger.webhookId}/webhook`;
		const ended = new Promise<void>((end) => {
			this.listening.set(path, { stored, workflow, node, test, end });
			clock.after(LISTENING, end);
		});
		try {
			const exists = await this.hook(stored, workflow, node, 'checkExists');
			if (!exists) await this.hook(stored, workflow, node, 'create');
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
		method: 'checkExists' | 'create' | 'delete',
	): Promise<boolean> {
		const { main } = this.n8n;
		const { additional } = this.n8n.newCall('test', stored.id, main);
		const context = hookContext(workflow, node, additional, 'manual');
		const run = main.node('maxunTrigger').webhookMethods?.default?.[method];
		return run ? await run.call(context) : true;
	}
}
