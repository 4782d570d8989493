import type { Request, Response } from '../../network.mts';
import type { N8nProcess } from '../../process.mts';
import { eventContext } from './contexts.mts';
import type { TriggerHost } from './host.mts';
import { WebhookResponse } from './response.mts';
import { open, type StoredWorkflow } from './workflow.mts';

const NOT_REGISTERED: Response = { status: 404, body: { message: 'Not registered' } };

/** Receives events, and starts executions for them (LiveWebhooks, executeWebhook). */
export class Receiver {
	constructor(private readonly host: TriggerHost) {}

	/** A call from outside, such as an event. */
	async receive(request: Request): Promise<Response> {
		const { processors, main, random, isOff, clock, tester } = this.host;
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

	private async call(process: N8nProcess, { url, body }: Request): Promise<Response> {
		const began = this.host.clock.now;
		await this.host.database.access();
		const stored = this.find(url);
		if (!stored) return NOT_REGISTERED;
		const trigger = structuredClone(stored.trigger);
		const workflow = open(stored, process);
		const node = workflow.getNode(trigger.name);
		const type = process.node('MaxunTrigger');
		if (!node || !type.webhook) return NOT_REGISTERED;
		const response = new WebhookResponse();
		const { call, additional } = this.host.newCall('event', stored.id, process);
		const exchange = { url, body, response, isTest: false };
		const context = eventContext(workflow, node, additional, exchange);
		try {
			const result = await type.webhook.call(context);
			if (result.workflowData) {
				const [items = []] = result.workflowData;
				const { id: workflowId } = stored;
				const fields = { workflowId, trigger, isPoll: false, process, items, began };
				const start = this.host.startOf(call, fields);
				// The execution opens the workflow itself, and its copy resets the mark of changed data.
				Object.assign(workflow.staticData, { __dataChanged: false });
				await this.host.store(start);
				const copy = open(stored, process);
				const save = async () => await this.host.save(stored, copy);
				const execution = this.host.newCall('execution', workflowId, process);
				execution.call.start = start;
				this.host.executions.run({
					start,
					workflow: copy,
					node,
					additional: execution.additional,
					save,
				});
				await this.host.save(stored, workflow);
				start.saved = this.host.clock.now;
			} else {
				await this.host.save(stored, workflow);
			}
			response.json(result.webhookResponse);
		} catch (error) {
			response.status(500).json({ message: String(error) });
		}
		return { status: response.statusCode, body: response.body };
	}

	private find({ pathname }: URL): StoredWorkflow | undefined {
		const { workflows, publisher } = this.host;
		return [...workflows.values()].find(
			({ id, trigger }) =>
				publisher.isListening(id) && pathname === `/webhook/${trigger.webhookId}/webhook`,
		);
	}
}
