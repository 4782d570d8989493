import { DEMO, KEYS, startSandbox, type Sandbox, type SandboxOptions } from '../sandbox/index.mts';
import type { Control } from '../sandbox/control.mts';
import type { FaultFields } from '../sandbox/faults.mts';
import { lineOf, type RecordedRequest } from '../sandbox/request-log.mts';
import { CloudClient, DIRECT, SelfHostedClient } from './client.mts';

/** A sandbox with its control API, clients and credentials. */
export class TestSandbox {
	private started: Sandbox | undefined;

	readonly demo = DEMO;

	static async start(options?: SandboxOptions): Promise<TestSandbox> {
		const sandbox = new TestSandbox();
		await sandbox.start(options);
		return sandbox;
	}

	async start(options: SandboxOptions = {}): Promise<void> {
		this.started = await startSandbox(options);
	}

	readonly stop = async (): Promise<void> => {
		await this.started?.close();
		this.started = undefined;
	};

	get sandbox(): Sandbox {
		if (this.started === undefined) throw new Error('The sandbox has not been started');
		return this.started;
	}

	get url(): string {
		return this.sandbox.url;
	}

	/** The root of Maxun Cloud's API. */
	get baseUrl(): string {
		return this.sandbox.baseUrl;
	}

	get siteUrl(): string {
		return this.sandbox.siteUrl;
	}

	get port(): number {
		return Number(new URL(this.url).port);
	}

	get control(): Control {
		return this.sandbox.control;
	}

	/** Maxun Cloud's API for the owner of the demo robots. */
	get owner(): CloudClient {
		return this.client();
	}

	/** Maxun Cloud's API for an account, and for one of its teams. */
	client({ apiKey = KEYS.owner, teamId }: Account = {}): CloudClient {
		return CloudClient.withKey(this, apiKey, teamId);
	}

	/** The self-hosted API for the owner of the demo robots. */
	get server(): SelfHostedClient {
		return SelfHostedClient.withKey(this, KEYS.owner);
	}

	credentials(changes: Account & { baseUrl?: string } = {}) {
		const { baseUrl } = this;
		return { maxunCloudApi: { apiKey: String(KEYS.owner), teamId: '', baseUrl, ...changes } };
	}

	serverCredentials(changes: { apiKey?: string; baseUrl?: string; timezone?: string } = {}) {
		const { url: baseUrl } = this;
		const own = { apiKey: String(KEYS.owner), baseUrl, timezone: '', ...changes };
		return { maxunSelfHostedApi: own };
	}

	/**
	 * Maxun responds with this status to the next request.
	 * @param request the method and a regular expression for the path, such as `POST /runs$`
	 * @param error Maxun's own message
	 */
	async respond(
		status: number,
		request: string,
		{ error, ...fault }: Partial<FaultFields> & { error?: string } = {},
	): Promise<void> {
		const [method, path] = request.split(' ');
		const body = error === undefined ? {} : { body: { success: false, error } };
		await this.control.fault({ kind: 'status', status, method, path, ...body, ...fault });
	}

	/** The nodes' requests since the test began, without the test's own. */
	async sent(): Promise<RecordedRequest[]> {
		const [[name, value]] = Object.entries(DIRECT);
		return (await this.control.requests()).filter(({ headers }) => headers[name] !== value);
	}

	async lines(): Promise<string[]> {
		return (await this.sent()).map(lineOf);
	}

	/** How many runs the nodes have started. */
	readonly starts = async (): Promise<number> => await this.count(/^POST \S+\/(runs|execute)$/);

	async count(pattern: RegExp): Promise<number> {
		return (await this.lines()).filter((line) => pattern.test(line)).length;
	}
}

export interface Account {
	apiKey?: string;
	teamId?: string;
}
