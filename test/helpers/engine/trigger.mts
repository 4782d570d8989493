import { createServer, type Server } from 'node:http';
import express from 'express';
import type { Request, Response } from 'express';
import { NodeHelpers } from 'n8n-workflow';
import type { INode, INodeExecutionData, WorkflowActivateMode } from 'n8n-workflow';
import { BODY_LIMIT, readBody, answerOf } from './http.mts';
import { closeServer, listen } from '../listen.mts';
import { PATIENCE, until } from '../until.mts';
import { loadPackage } from './package.mts';
import type { StaticData } from './static-data.mts';
import { register, type HookName } from './trigger-calls.mts';
import {
	TriggerWorkflow,
	type Poll,
	type PollSetup,
	type TriggerSetup,
} from './trigger-workflow.mts';

export interface TriggerOptions extends TriggerSetup {
	/** By default, a free port. The same port imitates a restart. */
	port?: number;
	/** This n8n instance's public URL without a final slash, if it isn't the server's. */
	origin?: string;
}

export interface Delivery {
	status: number;
	/** What `webhook()` threw. n8n responds with status 500 and stores a failed execution. */
	error?: unknown;
}

/** One workflow with a trigger, and the part of n8n's server that calls it: its URLs, publication and polls. */
export class TriggerHost {
	readonly deliveries: Delivery[] = [];

	/** What n8n does after the node returns and before the response. If this fails, the caller gets status 500. */
	storing: () => Promise<void> = async () => undefined;

	/** The items with which each event and each poll has started the workflow. */
	readonly starts: INodeExecutionData[][][] = [];

	/** Active URLs. n8n opens a URL before `create` and closes it after `delete`. */
	private readonly live = new Set<'production' | 'test'>();

	private constructor(
		private readonly workflow: TriggerWorkflow,
		private readonly server: Server,
		readonly port: number,
		private readonly publicOrigin?: string,
	) {}

	static async start({ port, origin, ...setup }: TriggerOptions): Promise<TriggerHost> {
		const workflow = new TriggerWorkflow(await loadPackage(), setup);
		const app = express();
		const server = createServer(app);
		const host = new TriggerHost(workflow, server, await listen(server, port), origin);
		app.use(express.raw({ type: () => true, limit: BODY_LIMIT }));
		app.use(async (request, response) => await host.answer(request, response));
		return host;
	}

	get staticData(): StaticData {
		return this.workflow.staticData;
	}

	/** The base URL in n8n's settings. */
	get origin(): string {
		return this.publicOrigin ?? `http://127.0.0.1:${this.port}`;
	}

	get url(): string {
		return `${this.origin}/webhook/${this.path}`;
	}

	private get path(): string {
		const { workflow, node } = this.workflow.open();
		const { path, isFullPath } = this.description;
		return NodeHelpers.getNodeWebhookPath(workflow.id, node, path, isFullPath === true);
	}

	private get description() {
		const [description] = this.workflow.open().nodeType.description.webhooks ?? [];
		if (description === undefined) throw new Error('The node declares no webhook');
		return description;
	}

	private get address() {
		return { origin: this.origin, path: this.path };
	}

	/** Calls a lifecycle method like n8n, and saves changed static data. */
	async hook(method: HookName, activation: WorkflowActivateMode = 'activate'): Promise<boolean> {
		return await this.workflow.hook(method, this.address, activation);
	}

	/**
	 * Publishes the workflow: opens the URL, then calls the hooks and polls.
	 * @throws what the hooks or the first poll throw, after closing the URL
	 */
	async activate(activation: WorkflowActivateMode = 'activate'): Promise<void> {
		this.live.add('production');
		try {
			const poll = await this.workflow.publish(this.address, activation);
			if (poll) this.starts.push(poll.emitted);
		} catch (error) {
			// Like n8n's WebhookTriggerRegistrar.
			await this.hook('delete').catch(() => undefined);
			this.live.delete('production');
			throw error;
		}
	}

	/** Deactivates the workflow: ends its polls and calls `delete` at the same time, and closes the URL. */
	async deactivate(): Promise<void> {
		this.workflow.unpublish();
		if (!this.workflow.setup.hooksFirst) this.live.delete('production');
		await this.hook('delete');
		this.live.delete('production');
	}

	/** Publishes an edit: removes the old version's trigger, and adds the new version's. */
	async republish(change: Pick<Partial<INode>, 'name' | 'parameters'> = {}): Promise<void> {
		await this.deactivate();
		this.edit(change);
		await this.activate('update');
	}

	edit(change: Pick<Partial<INode>, 'name' | 'parameters'>): void {
		this.workflow.edit(change);
	}

	/** One poll. @returns null if no execution starts @throws what it throws or reports */
	async poll(setup: PollSetup = {}): Promise<Poll | null> {
		const { workflow } = this;
		const poll = await (setup.isFirst ? workflow.repeatFirstPoll() : workflow.poll(setup));
		if (poll) this.starts.push(poll.emitted);
		return poll;
	}

	/** Kills n8n and starts it again, which polls at once. Data that n8n hasn't saved is lost. */
	async restart(): Promise<void> {
		const poll = await this.workflow.restart();
		if (poll) this.starts.push(poll.emitted);
		// The next poll is an ordinary poll.
		if (this.workflow.isDurable) await this.poll();
	}

	/** Starts listening for a test event, with separate static data. */
	async listen(): Promise<void> {
		this.workflow.listen();
		this.live.add('test');
		try {
			await register(async (method) => await this.hook(method, 'manual'));
		} catch (error) {
			await this.stopListening().catch(() => undefined);
			this.live.delete('test');
			throw error;
		}
	}

	async stopListening(): Promise<void> {
		await this.hook('delete', 'manual');
		this.live.delete('test');
	}

	/** Opens the production URL without hooks, as recent n8n versions do when they restart. */
	reopen(): void {
		this.live.add('production');
	}

	get emitted(): INodeExecutionData[] {
		return this.starts.flatMap(([items = []]) => items);
	}

	async waitForDeliveries(count: number): Promise<void> {
		await until(`${count} deliveries`, PATIENCE, () => this.deliveries.length >= count);
	}

	async waitForItems(count: number, milliseconds = PATIENCE): Promise<INodeExecutionData[]> {
		await until(`${count} items`, milliseconds, () => this.emitted.length >= count);
		return this.emitted;
	}

	async post(body: unknown, url = this.url): Promise<globalThis.Response> {
		return await fetch(url, {
			method: 'POST',
			// A connection that the server closes at the same moment can leave a request without a response.
			headers: { 'content-type': 'application/json', connection: 'close' },
			body: typeof body === 'string' ? body : JSON.stringify(body),
		});
	}

	async close(): Promise<void> {
		await closeServer(this.server);
	}

	private async answer(request: Request, response: Response): Promise<void> {
		const test = request.path === `/webhook-test/${this.path}`;
		const known = test || request.path === `/webhook/${this.path}`;
		if (!known || request.method !== 'POST' || !this.live.has(test ? 'test' : 'production')) {
			response.status(404).json({ code: 404, message: 'The requested webhook is not registered.' });
			return;
		}
		if (!readBody(request)) {
			response.status(422).json({ message: 'Failed to parse request body' });
			return;
		}
		const error = await this.runWebhook(request, response, test);
		this.deliveries.push({ status: response.statusCode, error });
	}

	/** @returns what the node has thrown */
	private async runWebhook(request: Request, response: Response, test: boolean): Promise<unknown> {
		const { workflow, storing, address } = this;
		const exchange = { httpRequest: request, httpResponse: response };
		try {
			const result = await workflow.receive(test, address, exchange, storing);
			const { workflowData } = result;
			const mode = test ? 'manual' : 'webhook';
			// n8n doesn't wait for the execution. Tests can expect its items after the response.
			const emitted =
				workflowData && (await workflow.execute(workflowData, mode, { origin: this.origin }));
			if (emitted) this.starts.push(emitted);
			const answer = answerOf(result, this.description);
			if (answer !== undefined && !response.headersSent) response.status(200).json(answer);
			return undefined;
		} catch (error) {
			if (!response.headersSent) response.status(500).json({ message: 'Error in workflow' });
			return error;
		}
	}
}
