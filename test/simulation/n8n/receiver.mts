import type { INodeExecutionData } from 'n8n-workflow';
import { callWebhook } from '../../helpers/engine/trigger-calls.mts';
import type { Request, Response } from '../network.mts';
import type { N8nProcess } from '../process.mts';
import type { Start } from './calls.mts';
import { pathOf, WebhookExchange } from './exchange.mts';
import type { N8n } from './host.mts';
import { open, type StoredWorkflow } from './workflows.mts';

const NOT_REGISTERED: Response = { status: 404, body: { message: 'Not registered' } };

/** Receives events, and starts executions for them (LiveWebhooks, executeWebhook). */
export class Receiver {
	constructor(private readonly n8n: N8n) {}

	/** Receives a call from outside, such as an event. */
	async receive(request: Request): Promise<Response> {
		const { processors, main, random, isOff, clock, tester } = this.n8n;
		const isTest = request.url.pathname.startsWith('/webhook-test/');
		const candidates = processors.length > 0 && !isTest ? processors : [main];
		const process = candidates[Math.floor(random() * candidates.length)] ?? main;
		if (isOff || !process.alive) return { status: 502, body: 'Bad gateway' };
		const answer = async () =>
			isTest ? await tester.receive(request) : await this.call(process, request);
		const failure: Response = { status: 500, body: { message: 'n8n failed' } };
		return await new Promise<Response>((resolve) =>
			clock.after(0, () => void answer().then(resolve, () => resolve(failure)), process),
		);
	}

	private async call(process: N8nProcess, request: Request): Promise<Response> {
		const began = this.n8n.clock.now;
		await this.n8n.database.access();
		const stored = this.find(request.url);
		if (!stored) return NOT_REGISTERED;
		const { id: workflowId } = stored;
		const trigger = structuredClone(stored.trigger);
		const workflow = open(stored, process);
		const node = workflow.getNode(trigger.name) ?? trigger;
		const exchange = new WebhookExchange(request);
		const { call, additional } = this.n8n.newCall('event', workflowId, process);
		Object.assign(additional, exchange.fields);
		let started: Start | undefined;
		const start = async ([items = []]: INodeExecutionData[][]) => {
			const { staticData } = stored;
			const fields = { workflowId, trigger, isPoll: false, process, items, began, staticData };
			started = this.n8n.startOf(call, fields);
			await this.n8n.executions.begin(started, 'webhook');
		};
		const save = async () => {
			await this.n8n.save(stored, workflow);
			if (started) started.saved = this.n8n.clock.now;
		};
		try {
			const called = { workflow, node, additional, path: pathOf(trigger) };
			const { webhookResponse } = await callWebhook(called, false, { start, save });
			exchange.respond(webhookResponse);
		} catch (error) {
			exchange.respond({ message: String(error) }, 500);
		}
		return exchange.response;
	}

	private find({ pathname }: URL): StoredWorkflow | undefined {
		const { workflows, publisher } = this.n8n;
		return [...workflows.values()].find(
			({ id, trigger }) => publisher.isListening(id) && pathname === `/webhook/${pathOf(trigger)}`,
		);
	}
}
