import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { IDataObject } from 'n8n-workflow';
import {
	DEMO,
	KEYS,
	startSandbox,
	type Sandbox,
	type SandboxOptions,
} from '../../sandbox/index.mts';
import { Control, type RecordedRequest } from '../harness/index.mts';

/** A sandbox for the tests of one file, clean of recorded requests and faults before each test. */
export class World {
	private started: Sandbox | undefined;

	get sandbox(): Sandbox {
		if (this.started === undefined) throw new Error('The sandbox has not been started');
		return this.started;
	}

	/** Ids of the robots that every sandbox has from the start. */
	readonly demo = DEMO;

	get control(): Control {
		return new Control(this.sandbox);
	}

	async start(options: SandboxOptions = {}): Promise<void> {
		this.started = await startSandbox(options);
	}

	async stop(): Promise<void> {
		await this.started?.close();
		this.started = undefined;
	}

	/** Credential values as a user types them. */
	credentials(changes: { apiKey?: string; teamId?: string; baseUrl?: string } = {}) {
		const { baseUrl } = this.sandbox;
		return { maxunApi: { apiKey: String(KEYS.owner), teamId: '', baseUrl, ...changes } };
	}

	/** Asks the API directly, around the nodes and the record of requests. */
	async ask(
		path: string,
		{ method = 'GET', apiKey = KEYS.owner, teamId = '', body }: AskOptions = {},
	): Promise<{ status: number; body: IDataObject & { data: IDataObject } }> {
		const isForm = body instanceof FormData;
		const response = await fetch(this.sandbox.baseUrl + path, {
			method,
			headers: {
				authorization: `Bearer ${apiKey}`,
				'x-test': 'direct',
				...(teamId !== '' && { 'x-team-id': teamId }),
				...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
			},
			body: body === undefined || isForm ? body : JSON.stringify(body),
		});
		const text = await response.text();
		return { status: response.status, body: JSON.parse(text === '' ? '{}' : text) };
	}

	/** What the nodes have sent since the test began, without the test's own questions. */
	async sent(): Promise<RecordedRequest[]> {
		return (await this.control.requests()).filter(({ headers }) => headers['x-test'] !== 'direct');
	}
}

export interface AskOptions {
	method?: string;
	apiKey?: string;
	teamId?: string;
	body?: IDataObject | FormData;
}

/** Starts a sandbox for the file and stops it at the end. */
export function useSandbox(options?: SandboxOptions): World {
	const world = new World();
	beforeAll(async () => await world.start(options));
	afterAll(async () => await world.stop());
	beforeEach(async () => await world.control.clear());
	return world;
}
