import type { IDataObject } from 'n8n-workflow';
import type { Sandbox, Settings } from '../../sandbox/index.mts';

/** A request as it arrived at the API. */
export interface RecordedRequest {
	at: string;
	method: string;
	/** Below the base URL, without the query, still encoded. */
	path: string;
	query: Record<string, string | string[]>;
	headers: Record<string, string>;
	body?: unknown;
}

/** What the sandbox shall do to matching requests; see its control plane. */
export interface Fault {
	method?: string;
	/** Regular expression on the path below the base URL. */
	path?: string;
	skip?: number;
	times?: number;
	kind: 'status' | 'delay' | 'reset' | 'truncate' | 'body';
	status?: number;
	headers?: Record<string, string>;
	body?: string | IDataObject | IDataObject[];
	contentType?: string;
	milliseconds?: number;
	/** Whether the request is left undone; true when left out. */
	before?: boolean;
}

/** Method and path with the query, as `GET /robots?limit=25`; short enough to compare whole lists. */
export function lineOf({ method, path, query }: Omit<RecordedRequest, 'at' | 'headers'>): string {
	const parameters = new URLSearchParams();
	for (const [name, values] of Object.entries(query)) {
		for (const value of [values].flat()) parameters.append(name, value);
	}
	return parameters.size === 0 ? `${method} ${path}` : `${method} ${path}?${parameters}`;
}

/** The sandbox's control plane, for tests: what it received, and what it shall do next. */
export class Control {
	constructor(private readonly sandbox: Pick<Sandbox, 'url'>) {}

	private async call(method: string, path: string, body?: unknown) {
		const response = await fetch(`${this.sandbox.url}/_sandbox${path}`, {
			method,
			...(body !== undefined && {
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			}),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} /_sandbox${path}: ${response.status} ${text}`);
		return JSON.parse(text === '' ? 'null' : text);
	}

	/** Requests to the API since the last `clear`, oldest first. */
	async requests(): Promise<RecordedRequest[]> {
		return await this.call('GET', '/requests');
	}

	/** The same as lines of method and path. */
	async lines(): Promise<string[]> {
		return (await this.requests()).map(lineOf);
	}

	/** Forgets recorded requests and pending faults. */
	async clear(): Promise<void> {
		await this.call('DELETE', '/requests');
		await this.call('DELETE', '/faults');
	}

	async fault(fault: Fault): Promise<void> {
		await this.call('POST', '/faults', fault);
	}

	async settings(settings: Partial<Settings>): Promise<void> {
		await this.call('PATCH', '/settings', settings);
	}

	/** Creates a robot as the dashboard does; returns its id. */
	async robot(robot: IDataObject): Promise<string> {
		const { data } = await this.call('POST', '/robots', robot);
		return data.id;
	}

	/** Creates many robots; returns their ids. */
	async bulkRobots(count: number, type: string, owner: IDataObject = {}): Promise<string[]> {
		const { data } = await this.call('POST', '/robots/bulk', { count, type, ...owner });
		return data;
	}

	/** Inserts finished runs of a robot; returns their ids, oldest first. */
	async runs(body: {
		robotId: string;
		count?: number;
		status?: string;
		run?: IDataObject;
	}): Promise<string[]> {
		const { data } = await this.call('POST', '/runs', body);
		return data;
	}

	async patchRun(id: string, fields: IDataObject): Promise<void> {
		await this.call('PATCH', `/runs/${id}`, fields);
	}

	/** Ends a run as aborted; the service announces no such end. */
	async abortRun(id: string): Promise<void> {
		await this.call('POST', `/runs/${id}/abort`);
	}

	async repeatDeliveries(runId: string): Promise<void> {
		await this.call('POST', '/deliveries/repeat', { runId });
	}
}
