import { z } from 'zod';
import type { RobotFields } from '../sandbox/control.mts';
import type { FaultFields as Fault } from '../sandbox/faults.mts';
import type { Settings } from '../sandbox/index.mts';
import { Client, type Answer } from './client.mts';

const Request = z.object({
	/** The API: `/api/v1` is Maxun Cloud's, `/api` a self-hosted server's. */
	root: z.string(),
	at: z.string(),
	method: z.string(),
	/** Below the base URL, without the query, still encoded. */
	path: z.string(),
	query: z.record(z.union([z.string(), z.array(z.string())])),
	headers: z.record(z.string()),
	body: z.unknown(),
	/** How many requests were in progress when it arrived, including this one. */
	inProgress: z.number(),
});

export type RecordedRequest = z.infer<typeof Request>;

/** The method and the path with the query, as in `GET /robots?limit=25`. Short enough to compare lists. */
export function lineOf({
	method,
	path,
	query,
}: Pick<RecordedRequest, 'method' | 'path' | 'query'>): string {
	const parameters = new URLSearchParams();
	for (const [name, values] of Object.entries(query)) {
		for (const value of [values].flat()) parameters.append(name, value);
	}
	return parameters.size === 0 ? `${method} ${path}` : `${method} ${path}?${parameters}`;
}

export type { Fault };

const Entries = z.array(z.record(z.unknown()));
/** The sandbox's control API: what it received, and how it responds next. */
export class Control {
	private readonly client: Client;

	constructor({ url }: { url: string }) {
		this.client = new Client(`${url}/_sandbox`);
	}

	private async call(
		method: string,
		path: string,
		body?: unknown,
		accepted?: number,
	): Promise<Answer> {
		const answer = await this.client.send(method, path, body);
		const { status, text } = answer;
		if (status >= 300 && status !== accepted)
			throw new Error(`${method} /_sandbox${path}: ${status} ${text}`);
		return answer;
	}

	/** Requests to the API since the last `clear`, oldest first. */
	async requests(): Promise<RecordedRequest[]> {
		return z.array(Request).parse((await this.call('GET', '/requests')).json);
	}

	async lines(): Promise<string[]> {
		return (await this.requests()).map(lineOf);
	}

	async clear(): Promise<void> {
		await this.call('DELETE', '/requests');
		await this.clearFaults();
	}

	async clearFaults(): Promise<void> {
		await this.call('DELETE', '/faults');
	}

	async fault(fault: Fault): Promise<void> {
		await this.call('POST', '/faults', fault);
	}

	async settings(settings: Partial<Settings>): Promise<void> {
		await this.call('PATCH', '/settings', settings);
	}

	async robot(robot: RobotFields): Promise<string> {
		const { data } = await this.call('POST', '/robots', robot);
		return String(data.id);
	}

	async bulkRobots(count: number, type: string): Promise<string[]> {
		const { body } = await this.call('POST', '/robots/bulk', { count, type });
		return z.array(z.string()).parse(body.data);
	}

	async runs(body: {
		robotId: string;
		count?: number;
		status?: string;
		run?: object;
	}): Promise<string[]> {
		const answer = await this.call('POST', '/runs', body);
		return z.array(z.string()).parse(answer.body.data);
	}

	async patchRun(id: string, fields: object): Promise<void> {
		await this.call('PATCH', `/runs/${id}`, fields);
	}

	/** Ends a run as soon as its work is done, whatever the minimum duration. */
	async finishRun(id: string): Promise<void> {
		await this.call('POST', `/runs/${id}/finish`);
	}

	async abortRun(id: string): Promise<void> {
		await this.call('POST', `/runs/${id}/abort`);
	}

	/** Cancels active runs. Ignores runs that end in the meantime. */
	async abortRuns(ids: string[]): Promise<void> {
		const conflict = 409;
		for (const id of ids) await this.call('POST', `/runs/${id}/abort`, undefined, conflict);
	}

	async deliveries(): Promise<Array<Record<string, unknown>>> {
		return Entries.parse((await this.call('GET', '/deliveries')).json);
	}

	async state(): Promise<unknown> {
		return (await this.call('GET', '/state')).json;
	}
}
