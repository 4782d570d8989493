import type { Request, Response } from '../network.mts';
import type { N8nProcess } from '../process.mts';
import { eventContext } from './contexts.mts';
import type { N8n } from './host.mts';
import { WebhookResponse } from './response.mts';
import { open, type StoredWorkflow } from './workflows.mts';

const NOT_REGISTERED: Response = { status: 404, body: { message: 'Not registered' } };

/** Receives events, and starts executions for them (LiveWebhooks, executeWebhook). */
export class Receiver {
	constructor(private readonly n8n: N8n) {}

	/** A call from outside, such as an event. */
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

	private async call(process: N8nProcess, { url, body }: Request): Promise<Response> {
		const began = this.n8n.clock.now;
		await this.n8n.database.access();
		const stored = this.find(url);
		if (!stored) return NOT_REGISTERED;
		const trigger = structuredClone(stored.trigger);
		const workflow = open(stored, process);
		const node = workflow.getNode(trigger.name);
		const type = process.node('maxunTrigger');
		if (!node || !type.webhook) return NOT_REGISTERED;
		const response = new WebhookResponse();
		const { call, additional } = this.n8n.newCall('event', stored.id, process);
		const exchange = { url, body, response, isTest: false };
		const context = eventContext(workflow, node, additional, exchange);
		try {
			const result = await type.webhook.call(context);
			if (result.workflowData) {
				const [items = []] = result.workflowData;
				const { id: workflowId } = stored;
				const fields = { workflowId, trigger, isPoll: false, process, items, began };
				const start = this.n8n.startOf(call, fields);
				// The execution opens the workflow itself, and its copy resets the mark of changed data.
				Object.assign(workflow.staticData, { __dataChanged: false });
				await this.n8n.store(start);
				const copy = open(stored, process);
				const save = async () => await this.n8n.save(stored, copy);
				const execution = this.n8n.newCall('execution', workflowId, process);
				execution.call.start = start;
				this.n8n.emissions.run({
					start,
					workflow: copy,
					node,
					additional: execution.additional,
					save,
				});
				await this.n8n.save(stored, workflow);
				start.saved = this.n8n.clock.now;
			} else {
				await this.n8n.save(stored, workflow);
			}
			response.json(result.webhookResponse);
		} catch (error) {
			response.status(500).json({ message: String(error) });
		}
		return { status: response.statusCode, body: response.body };
	}

	private find({ pathname }: URL): StoredWorkflow | undefined {
		const { workflows, publisher } = this.n8n;
		return [...workflows.values()].find(
			({ id, trigger }) =>
				publisher.isListening(id) && pathname === `/webhook/${trigger.webhookId}/webhook`,
		);
	}
}
