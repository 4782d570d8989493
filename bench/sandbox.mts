import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { TestSandbox } from '../test/helpers/sandbox.mts';
import { KEYS, type Settings } from '../test/sandbox/index.mts';

/** A sandbox, and bare HTTP requests to its API: the minimum for any client. */
export interface BenchSandbox {
	sandbox: TestSandbox;
	/** Sends a request over undici, without any checks. @returns the parsed body */
	raw(method: 'GET' | 'POST', path: string): Promise<{ id?: string; data?: unknown }>;
	close(): Promise<void>;
}

export async function openSandbox(settings: Partial<Settings>): Promise<BenchSandbox> {
	const unlimited = { rateLimitPerMinute: 1_000_000, ...settings };
	const sandbox = await TestSandbox.start({ settings: unlimited });
	const agent = new Agent();
	const authorization = `Bearer ${KEYS.owner}`;
	return {
		sandbox,
		raw: async (method, path) => {
			const { body } = await request(sandbox.baseUrl + path, {
				method,
				dispatcher: agent,
				headers: { authorization },
			});
			return JSON.parse(await body.text());
		},
		close: async () => {
			await agent.close();
			await sandbox.stop();
		},
	};
}

/** Processes inputs with limited concurrency. */
export async function sideBySide<T>(
	inputs: T[],
	limit: number,
	work: (input: T) => Promise<void>,
): Promise<void> {
	const rest = [...inputs];
	const worker = async () => {
		for (let input = rest.shift(); input !== undefined; input = rest.shift()) await work(input);
	};
	await Promise.all(Array.from({ length: limit }, worker));
}

/** The shortest of several durations, in seconds: the one with the least interference. */
export async function bestSecondsOf(times: number, work: () => Promise<void>): Promise<number> {
	let best = Infinity;
	for (let time = 0; time < times; time++) best = Math.min(best, await secondsOf(work));
	return best;
}

export async function secondsOf(work: () => Promise<void>): Promise<number> {
	const began = performance.now();
	await work();
	return (performance.now() - began) / 1000;
}

export async function activeRuns({ raw }: BenchSandbox): Promise<string[]> {
	const { data } = await raw('GET', '/runs/active');
	return Array.isArray(data) ? data.map((run) => String(Object(run).id)) : [];
}

export { sleep };
