import { parse as parseFlatted } from 'flatted';
import { z } from 'zod';
import { until } from '../helpers/until.mts';

export interface Login {
	email: string;
	password: string;
}

const Credential = z.object({ id: z.string(), name: z.string(), type: z.string() });
const Node = z
	.object({ name: z.string(), type: z.string(), parameters: z.record(z.unknown()) })
	.passthrough();
const Workflow = z
	.object({
		id: z.string(),
		name: z.string(),
		active: z.boolean(),
		versionId: z.string(),
		nodes: z.array(Node),
	})
	.passthrough();
const WorkflowEntry = Workflow.pick({ id: true, name: true, active: true });
const Publication = z.object({
	status: z.enum(['in_progress', 'not_published', 'published', 'partial', 'failed']),
	triggers: z.array(z.object({ errorMessage: z.string().nullable() })),
});
const ExecutionEntry = z.object({
	id: z.string(),
	status: z.string(),
	mode: z.string(),
	/** ISO 8601 in UTC; null before its start. */
	startedAt: z.string().nullable(),
	stoppedAt: z.string().nullable(),
});
const Item = z
	.object({
		json: z.record(z.unknown()),
		binary: z.record(z.object({ fileName: z.string().optional() }).passthrough()).optional(),
	})
	.passthrough();
const NodeRun = z
	.object({
		/** Items by connection type, then by output. */
		data: z.record(z.array(z.array(Item).nullable())).optional(),
		error: z.object({ message: z.string() }).passthrough().optional(),
	})
	.passthrough();
/** Missing in an execution that has just started. */
const RunData = z.object({
	resultData: z
		.object({
			runData: z.record(z.array(NodeRun)).default({}),
			error: z.object({ message: z.string() }).passthrough().optional(),
		})
		.default({}),
});

export type Workflow = z.infer<typeof Workflow>;
export type ExecutionEntry = z.infer<typeof ExecutionEntry>;
export type Item = z.infer<typeof Item>;

export interface Execution extends ExecutionEntry {
	/** Each node's results by name, one for each time that it ran. */
	runs: Record<string, z.infer<typeof NodeRun>[]>;
	error?: { message: string };
	/** The stored data as n8n has it, so that tests can search it. */
	raw: string;
}

export interface CredentialSource {
	name: string;
	type: string;
	data: Record<string, unknown>;
}

/** A workflow's nodes, connections and settings, as n8n exports them. */
export type WorkflowSource = Record<string, unknown> & { name: string };

/** How long n8n may reject requests because its database responds late on a busy machine. */
const DATABASE_MS = 60_000;

/** The time in which n8n tries five times to activate a trigger. */
const PUBLICATION_MS = 120_000;

export const ENDED = new Set(['success', 'error', 'crashed', 'canceled']);

export class N8nRefusal extends Error {
	constructor(
		readonly status: number,
		message: string,
	) {
		super(`n8n answered ${status}: ${message}`);
	}
}

/** The editor's REST API, for one user. */
export class N8nRest {
	private cookie = '';

	private constructor(readonly url: string) {}

	/**
	 * Logs in. Makes the account the owner of a new n8n instance.
	 * @param url n8n's base URL
	 * @throws N8nRefusal if the owner or password is different
	 */
	static async open(url: string, { email, password }: Login): Promise<N8nRest> {
		const rest = new N8nRest(url);
		const settings = z.object({
			userManagement: z.object({ showSetupOnFirstLoad: z.boolean().optional() }),
		});
		const { userManagement } = await rest.send('GET', 'settings', settings);
		if (userManagement.showSetupOnFirstLoad) {
			const owner = { email, password, firstName: 'Maxun', lastName: 'Demo' };
			await rest.send('POST', 'owner/setup', z.unknown(), owner);
		} else {
			await rest.send('POST', 'login', z.unknown(), { emailOrLdapLoginId: email, password });
		}
		return rest;
	}

	async nodeTypes(): Promise<string[]> {
		const headers = { cookie: this.cookie };
		const answer = await fetch(`${this.url}/types/nodes.json`, { headers });
		if (!answer.ok) throw new N8nRefusal(answer.status, 'types/nodes.json');
		const types = z.array(z.object({ name: z.string() })).parse(await answer.json());
		return types.map(({ name }) => name);
	}

	async credentials() {
		return await this.send('GET', 'credentials', z.array(Credential));
	}

	/** A credential's fields, without secrets. */
	async credentialData(id: string): Promise<Record<string, unknown>> {
		const answer = z.object({ data: z.record(z.unknown()) });
		return (await this.send('GET', `credentials/${id}?includeData=true`, answer)).data;
	}

	async createCredential(credential: CredentialSource) {
		return await this.send('POST', 'credentials', Credential, credential);
	}

	async updateCredential(id: string, credential: CredentialSource) {
		return await this.send('PATCH', `credentials/${id}`, Credential, credential);
	}

	/** All workflows, without their nodes. */
	async workflows() {
		return await this.send('GET', 'workflows', z.array(WorkflowEntry));
	}

	async workflow(id: string): Promise<Workflow> {
		return await this.send('GET', `workflows/${id}`, Workflow);
	}

	/** Stores a workflow. Finds credentials without an ID by name, like the editor. */
	async createWorkflow(source: WorkflowSource): Promise<Workflow> {
		const known = await this.credentials();
		const nodes: unknown = JSON.parse(JSON.stringify(source.nodes), (key, value) =>
			value?.id === null
				? (known.find(({ type, name }) => type === key && name === value.name) ?? value)
				: value,
		);
		// Older versions have no default for `active`.
		return await this.send('POST', 'workflows', Workflow, { active: false, ...source, nodes });
	}

	/** Replaces parts of a workflow, such as its nodes. */
	async updateWorkflow(id: string, changes: Record<string, unknown>): Promise<Workflow> {
		return await this.send('PATCH', `workflows/${id}`, Workflow, changes);
	}

	/** Changes a node, and other parts of its workflow. Other parameters are kept. */
	async changeNode(
		workflowId: string,
		name: string,
		{ parameters, ...changes }: Partial<z.infer<typeof Node>>,
		others: Record<string, unknown> = {},
	): Promise<void> {
		const { nodes } = await this.workflow(workflowId);
		const changed = nodes.map((node) =>
			node.name === name
				? { ...node, ...changes, parameters: { ...node.parameters, ...parameters } }
				: node,
		);
		await this.updateWorkflow(workflowId, { nodes: changed, ...others });
	}

	/** Publishes a workflow's latest version, which activates its triggers. */
	async activate(id: string): Promise<void> {
		const { versionId } = await this.workflow(id);
		await this.switch(id, 'activate', { versionId });
	}

	private async switch(id: string, what: 'activate' | 'deactivate', body: object): Promise<void> {
		const sent = this.send('POST', `workflows/${id}/${what}`, z.unknown(), body);
		await sent.catch(async (error: unknown) => {
			if (!(error instanceof N8nRefusal) || error.status !== 404) throw error;
			// Older versions don't have this route.
			await this.updateWorkflow(id, { active: what === 'activate' });
		});
	}

	/**
	 * Publishes a workflow, and waits until its triggers are active.
	 * @throws Error with the message of a trigger that stays inactive
	 */
	async publish(id: string): Promise<void> {
		await this.activate(id);
		const { status, triggers } = await until('the publication', PUBLICATION_MS, async () => {
			const path = `workflows/${id}/publication-status`;
			// Older versions have activated the triggers already.
			const publication = await this.send('GET', path, Publication).catch((error: unknown) => {
				if (!(error instanceof N8nRefusal) || error.status !== 404) throw error;
				return { status: 'published' as const, triggers: [] };
			});
			// Right after an earlier publication has ended, n8n still reports it for a moment.
			const isReported = !['in_progress', 'not_published'].includes(publication.status);
			return isReported ? publication : undefined;
		});
		const words = triggers.flatMap(({ errorMessage }) => errorMessage ?? []);
		if (status !== 'published') throw new Error(`The workflow is ${status}: ${words.join('; ')}`);
	}

	async deactivate(id: string): Promise<void> {
		await this.switch(id, 'deactivate', {});
	}

	/**
	 * Runs a workflow manually, from this trigger.
	 * @param output the trigger's output if it should not run, such as a chat message
	 * @returns the active execution's ID
	 */
	async run(id: string, trigger: string, output?: Record<string, unknown>): Promise<string> {
		const task = { startTime: Date.now(), executionTime: 0, executionIndex: 0, source: [] };
		const data = output && { ...task, data: { main: [[{ json: output }]] } };
		// Older versions run the workflow in the request, and newer versions the stored workflow.
		const workflowData = await this.workflow(id);
		const body = { workflowData, triggerToStartFrom: { name: trigger, data } };
		const answer = z.object({ executionId: z.string() });
		return (await this.send('POST', `workflows/${id}/run`, answer, body)).executionId;
	}

	/** Stops a running or paused execution, like the stop button. */
	async stop(executionId: string): Promise<void> {
		await this.send('POST', `executions/${executionId}/stop`, z.unknown());
	}

	/** All executions of a workflow, newest first. */
	async executions(workflowId: string): Promise<ExecutionEntry[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const answer = z.object({
			results: z.array(ExecutionEntry),
			nextCursor: z.string().nullish(),
		});
		const all = new Map<string, ExecutionEntry>();
		for (let cursor: string | null | undefined = ''; typeof cursor === 'string'; ) {
			const page: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
			const path: string = `executions?filter=${filter}&limit=100${page}`;
			const { results, nextCursor }: z.infer<typeof answer> = await this.send('GET', path, answer);
			for (const entry of results) all.set(entry.id, entry);
			cursor = nextCursor;
		}
		return [...all.values()];
	}

	/** Listens for a test event, like the editor's button. n8n stops after the event or two minutes. */
	async listen(id: string, trigger: string): Promise<void> {
		const workflowData = await this.workflow(id);
		const body = { workflowData, triggerToStartFrom: { name: trigger } };
		const answer = z.object({ waitingForWebhook: z.literal(true) });
		await this.send('POST', `workflows/${id}/run`, answer, body);
	}

	async stopListening(id: string): Promise<void> {
		await this.send('DELETE', `test-webhook/${id}`, z.unknown());
	}

	async execution(id: string): Promise<Execution> {
		const answer = ExecutionEntry.extend({ data: z.string() });
		const { data, ...entry } = await this.send('GET', `executions/${id}`, answer);
		const { runData, error } = RunData.parse(parseFlatted(data) ?? {}).resultData;
		return { ...entry, runs: runData, error, raw: data };
	}

	/**
	 * Waits until an execution ends.
	 * @param limit milliseconds
	 * @throws Error if it hasn't ended by then
	 */
	async finished(id: string, limit = 60_000): Promise<Execution> {
		return await until(`the end of execution ${id}`, limit, async () => {
			const execution = await this.execution(id);
			return ENDED.has(execution.status) ? execution : undefined;
		});
	}

	/**
	 * Creates a data table in the user's project.
	 * @param columns types by name
	 * @returns its path
	 */
	async createDataTable(
		name: string,
		columns: Record<string, 'string' | 'number'>,
	): Promise<string> {
		const entry = z.object({ id: z.string() });
		const { id: projectId } = await this.send('GET', 'projects/personal', entry);
		const path = `projects/${projectId}/data-tables`;
		const { id } = await this.send('POST', path, entry, {
			name,
			columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
		});
		return `${path}/${id}`;
	}

	async addDataTableRows(path: string, rows: Array<Record<string, string>>): Promise<void> {
		await this.send('POST', `${path}/insert`, z.unknown(), { data: rows, returnType: 'count' });
	}

	/** A data table's first rows, in the order of their creation. */
	async dataTableRows(path: string, limit: number): Promise<Array<Record<string, unknown>>> {
		const answer = z.object({ data: z.array(z.record(z.unknown())) });
		const query = `take=${limit}&sortBy=id%3Aasc`;
		return (await this.send('GET', `${path}/rows?${query}`, answer)).data;
	}

	/** Sends a request below `/rest`, and checks the response's type. */
	private async send<T extends z.ZodTypeAny>(
		method: string,
		path: string,
		shape: T,
		body?: unknown,
	): Promise<z.output<T>> {
		const { response, text } = await until('n8n’s database', DATABASE_MS, async () => {
			const response = await fetch(`${this.url}/rest/${path}`, {
				method,
				headers: {
					...(body === undefined ? {} : { 'content-type': 'application/json' }),
					...(this.cookie ? { cookie: this.cookie } : {}),
				},
				body: body === undefined ? undefined : JSON.stringify(body),
			});
			const text = await response.text();
			return text.includes('Database is not ready') ? undefined : { response, text };
		});
		if (!response.ok) throw new N8nRefusal(response.status, text.slice(0, 500));
		const [cookie] = response.headers.getSetCookie();
		if (cookie !== undefined) this.cookie = cookie.split(';')[0] ?? '';
		return z.object({ data: shape }).parse(JSON.parse(text)).data;
	}
}

/** The data of the items in the first output of a node's last run. */
export const jsonOf = (execution: Execution, node: string) =>
	itemsOf(execution, node).map(({ json }) => json);

/** The items in the first output of a node's last run. */
export function itemsOf({ runs }: Execution, node: string): Item[] {
	return runs[node]?.at(-1)?.data?.main?.[0] ?? [];
}
