import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import express from 'express';
import type { Request, Response } from 'express';
import { WorkflowExecute } from 'n8n-core';
import { NodeHelpers } from 'n8n-workflow';
import type { INode, INodeExecutionData, WorkflowActivateMode } from 'n8n-workflow';
import { useProcessedData } from './deduplication.mts';
import { newExecutionData } from './execution-data.mts';
import { BODY_LIMIT, readBody, answerOf } from './http.mts';
import { listen } from '../listen.mts';
import { PATIENCE } from '../until.mts';
import { loadPackage, TRIGGER_NODE, type LoadedPackage } from './package.mts';
import { StaticData } from './static-data.mts';
import { callHook, callWebhook, register, type HookName } from './trigger-calls.mts';
import { additionalData, buildWorkflow, type NodeSetup } from './workflow.mts';

export interface TriggerOptions extends Omit<NodeSetup, 'staticData' | 'active'> {
	/** The data that the workflow saved earlier. */
	staticData?: StaticData;
	/** The same port imitates a restart. A free one by default. */
	port?: number;
	/** Public URL of this n8n instance if it is not the server's, without a final slash. */
	origin?: string;
}

/** One call that reached the node's `webhook()`. */
export interface Delivery {
	test: boolean;
	body: unknown;
	query: Request['query'];
	/** Status of the response. */
	status: number;
	/** Items that the trigger output at the beginning of the workflow; undefined if none started. */
	emitted?: INodeExecutionData[][];
	/** What `webhook()` threw. n8n sends 500 and stores a failed execution. */
	error?: unknown;
}

/**
 * One workflow with a webhook trigger, and the part of n8n's server that calls it: lifecycle hooks,
 * the production and test URLs, and the saved static data.
 */
export class TriggerHost {
	/** Saved data of the active workflow. */
	readonly staticData: StaticData;

	/** A test listener has its own data, empty at each start. */
	private testStaticData = new StaticData();

	readonly deliveries: Delivery[] = [];

	/** What n8n does after the node returns and before the response. If this fails, the caller gets 500. */
	storing: () => Promise<void> = async () => undefined;

	/** What delays the saving of static data, and the response with it. */
	saving: () => Promise<void> = async () => undefined;

	private readonly events = new EventEmitter();

	/** Each n8n has its own, because a process loses its memory of a workflow when it ends. */
	private readonly workflowId = `engine-test-${randomUUID()}`;

	/** Active URLs. n8n opens one before `create` and closes it after `delete`. */
	private readonly live = new Set<'production' | 'test'>();

	private constructor(
		private readonly loaded: LoadedPackage,
		private setup: TriggerOptions,
		private readonly server: Server,
		readonly port: number,
	) {
		this.staticData = setup.staticData ?? new StaticData();
	}

	static async start(options: TriggerOptions): Promise<TriggerHost> {
		const loaded = await loadPackage();
		const app = express();
		const server = createServer(app);
		const host = new TriggerHost(loaded, options, server, await listen(server, options.port));
		app.use(express.raw({ type: () => true, limit: BODY_LIMIT }));
		app.use(async (request, response) => await host.answer(request, response));
		return host;
	}

	/** The base URL of this n8n in its settings. */
	get origin(): string {
		return this.setup.origin ?? `http://127.0.0.1:${this.port}`;
	}

	/** The production URL that the engine builds for the node. */
	get url(): string {
		return `${this.origin}/webhook/${this.path}`;
	}

	get testUrl(): string {
		return `${this.origin}/webhook-test/${this.path}`;
	}

	private get path(): string {
		const { workflow, node } = this.build(false);
		const { path, isFullPath } = this.description;
		return NodeHelpers.getNodeWebhookPath(workflow.id, node, path, isFullPath === true);
	}

	private get description() {
		const [description] = this.build(false).nodeType.description.webhooks ?? [];
		if (description === undefined) throw new Error('The node declares no webhook');
		return description;
	}

	/** The data for one call, with the currently saved static data. */
	private build(test: boolean) {
		const store = test ? this.testStaticData : this.staticData;
		return {
			store,
			...buildWorkflow(this.loaded, {
				type: TRIGGER_NODE,
				workflowId: this.workflowId,
				...this.setup,
				active: !test,
				staticData: store.load(),
			}),
		};
	}

	/** Calls one lifecycle method as n8n does, and saves changed static data. */
	async hook(
		method: HookName,
		{ test = false, activation }: { test?: boolean; activation?: WorkflowActivateMode } = {},
	): Promise<boolean> {
		const { workflow, node, store } = this.build(test);
		const mode = test ? 'manual' : 'trigger';
		const { setup, origin, path } = this;
		const additional = additionalData(this.loaded, setup.credentials, { mode, origin });
		const how = activation ?? (test ? 'manual' : 'activate');
		return await callHook({ workflow, node, additional, path }, method, how, async () =>
			store.save(workflow),
		);
	}

	/**
	 * Activates the workflow: opens the URL, calls `checkExists` and, unless it returns true, `create`.
	 * @throws what the hooks throw, after closing the URL
	 */
	async activate(activation: WorkflowActivateMode = 'activate'): Promise<void> {
		await this.open('production', { activation });
	}

	/** Deactivates the workflow: `delete`, then closes the URL. */
	async deactivate(): Promise<void> {
		await this.hook('delete');
		this.live.delete('production');
	}

	/** Changes the node, as someone does in the editor. The trigger must not be active. */
	edit({ name, parameters }: Pick<Partial<INode>, 'name' | 'parameters'>): void {
		const { setup } = this;
		this.setup = {
			...setup,
			parameters: { ...setup.parameters, ...parameters },
			node: { ...setup.node, ...(name !== undefined && { name }) },
		};
	}

	/** Starts listening for a test event, with separate static data. */
	async listen(): Promise<void> {
		this.testStaticData = new StaticData();
		await this.open('test', { test: true });
	}

	/** Stops the test listener. */
	async stopListening(): Promise<void> {
		await this.hook('delete', { test: true });
		this.live.delete('test');
	}

	/** Opens the production URL without hooks, as a restart of recent versions does. */
	reopen(): void {
		this.live.add('production');
	}

	private async open(
		address: 'production' | 'test',
		options: { test?: boolean; activation?: WorkflowActivateMode },
	): Promise<void> {
		this.live.add(address);
		try {
			await register(async (method) => await this.hook(method, options));
		} catch (error) {
			// As WebhookTriggerRegistrar and TestWebhooks of n8n do.
			await this.hook('delete', options).catch(() => undefined);
			this.live.delete(address);
			throw error;
		}
	}

	/** All items that have started a workflow, in order. */
	get emitted(): INodeExecutionData[] {
		return this.deliveries.flatMap(({ emitted }) => emitted?.[0] ?? []);
	}

	/**
	 * Waits until this many deliveries have a response in total.
	 * @param milliseconds time limit
	 */
	async waitForDeliveries(count: number, milliseconds = PATIENCE): Promise<Delivery[]> {
		await this.until(() => this.deliveries.length >= count, milliseconds);
		return this.deliveries;
	}

	/** Waits until this many items have started workflows in total. */
	async waitForItems(count: number, milliseconds = PATIENCE): Promise<INodeExecutionData[]> {
		await this.until(() => this.emitted.length >= count, milliseconds);
		return this.emitted;
	}

	private async until(reached: () => boolean, milliseconds: number): Promise<void> {
		const signal = AbortSignal.timeout(milliseconds);
		while (!reached()) {
			await once(this.events, 'delivery', { signal }).catch(() => {
				const { deliveries, emitted } = this;
				throw new Error(
					`After ${milliseconds} ms: ${deliveries.length} deliveries, ${emitted.length} items`,
				);
			});
		}
	}

	/** Posts a body to the production URL, or to another one. */
	async post(body: unknown, url = this.url): Promise<globalThis.Response> {
		return await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: typeof body === 'string' ? body : JSON.stringify(body),
		});
	}

	async close(): Promise<void> {
		const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
		this.server.closeAllConnections();
		await closed;
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
		const result = await this.runWebhook(request, response, test);
		const { body, query } = request;
		this.deliveries.push({ test, body, query, status: response.statusCode, ...result });
		this.events.emit('delivery');
	}

	private async runWebhook(
		request: Request,
		response: Response,
		test: boolean,
	): Promise<Pick<Delivery, 'emitted' | 'error'>> {
		const { workflow, node, store } = this.build(test);
		const { setup, origin, path } = this;
		const mode = test ? 'manual' : 'webhook';
		const additional = additionalData(this.loaded, setup.credentials, { mode, origin });
		Object.assign(additional, { httpRequest: request, httpResponse: response });
		const start = async () => await this.storing();
		const save = async () => {
			if (store.isChanged(workflow)) await this.saving();
			store.save(workflow);
		};
		try {
			// As LiveWebhooks of n8n does. Versions before 2 have no isolates.
			await workflow.expression.acquireIsolate?.();
			const called = { workflow, node, additional, path };
			const result = await callWebhook(called, test, { start, save });
			const { workflowData } = result;
			// n8n does not wait for the execution. Tests can expect its items after the response.
			const emitted = workflowData && (await this.runWorkflow(workflowData, mode));
			const answer = answerOf(result, this.description);
			if (answer !== undefined && !response.headersSent) response.status(200).json(answer);
			return { emitted };
		} catch (error) {
			if (!response.headersSent) {
				response.status(500).json({ message: 'Error in workflow' });
			}
			return { error };
		} finally {
			await workflow.expression.releaseIsolate?.();
		}
	}

	/** Runs the workflow that a call starts. @returns what its trigger outputs */
	private async runWorkflow(
		items: INodeExecutionData[][] = [],
		mode: 'manual' | 'webhook',
	): Promise<INodeExecutionData[][]> {
		const { workflow, node } = this.build(mode === 'manual');
		useProcessedData(workflow, this.staticData.processed);
		// The database stores them as JSON.
		const main: INodeExecutionData[][] = JSON.parse(JSON.stringify(items));
		const data = newExecutionData([{ node, data: { main }, source: null }]);
		const executionId = randomUUID();
		const options = { mode, origin: this.origin, executionId };
		const additional = additionalData(this.loaded, this.setup.credentials, options);
		const run = await new WorkflowExecute(additional, mode, data).processRunExecutionData(workflow);
		const { error, runData } = run.data.resultData;
		if (error) throw error;
		const [task] = runData[node.name] ?? [];
		return (task?.data?.main ?? []).map((output) => output ?? []);
	}
}
