import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestSandbox } from '../helpers/sandbox.mts';
import type { Settings } from '../sandbox/index.mts';
import { bringN8n } from './install.mts';
import { N8n } from './n8n.mts';
import { installPackage, packProject } from './package.mts';
import { freePort } from './ports.mts';
import { type Proxy, startProxy } from './proxy.mts';
import { DATABASE, startPostgres, startRedis } from './servers.mts';
import { enter, type Stage } from './stage.mts';

/** An n8n instance in queue mode. The stage's `n8n` is its main process. */
export interface QueueStage extends Stage {
	/** This n8n instance's only public URL, which is the proxy's. */
	url: string;
	proxy: Proxy;
	workers: N8n[];
}

export interface QueueOptions {
	settings?: Partial<Settings>;
	env?: Record<string, string>;
}

/** The maximum number of concurrent executions on a worker; n8n's default. */
export const CONCURRENCY = 10;

/**
 * Starts a main process, two workers and two webhook processors, each with its own copy of the nodes. They share a new
 * Redis and PostgreSQL, the demo's account, credential and examples, and a new sandbox.
 */
export async function openQueueStage({ settings, env }: QueueOptions = {}): Promise<QueueStage> {
	const closing: Array<() => Promise<unknown>> = [];
	const close = async () => {
		for (const step of closing.reverse()) await step();
	};
	try {
		const runtime = await bringN8n(console.log);
		const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-maxun-robots-'));
		closing.push(async () => await rm(folder, { recursive: true, force: true }));
		const packed = await packProject(folder, console.log);
		const [redis, postgres] = [await startRedis(), await startPostgres()];
		closing.push(redis.stop, postgres.stop);
		const sandbox = await TestSandbox.start({ settings });
		closing.push(sandbox.stop);
		const port = await freePort();
		const url = `http://127.0.0.1:${port}`;
		const shared = { ...environment(redis.port, postgres.port, url), ...env };
		let installed: string | undefined;
		const add = async (name: string, command: string[], own: Record<string, string> = {}) => {
			const userFolder = join(folder, name);
			// The same files on each machine, as in an image or a volume.
			if (installed) await cp(join(installed, '.n8n'), join(userFolder, '.n8n'), COPY);
			else await installPackage(packed, (installed = userFolder), runtime.node);
			const part = await N8n.create({ runtime, userFolder, command, env: { ...shared, ...own } });
			closing.push(async () => await part.stop());
			return part;
		};
		const n8n = await add('main', ['start'], { N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true' });
		const work = ['worker', `--concurrency=${CONCURRENCY}`];
		const workers = [await add('worker-1', work), await add('worker-2', work)];
		const processors = [await add('webhooks-1', ['webhook']), await add('webhooks-2', ['webhook'])];
		await n8n.start(); // It starts first, because it creates the database.
		await Promise.all([...workers, ...processors].map(async (part) => await part.start()));
		const origins = processors.map((processor) => processor.url);
		const proxy = await startProxy(port, n8n.url, origins);
		closing.push(proxy.close);
		return { ...(await enter(n8n, sandbox)), workers, proxy, url, close };
	} catch (error) {
		await close();
		throw error;
	}
}

const COPY = { recursive: true, verbatimSymlinks: true };

function environment(redis: number, postgres: number, url: string): Record<string, string> {
	return {
		EXECUTIONS_MODE: 'queue',
		// Otherwise, manual executions run in the main process.
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis),
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(postgres),
		DB_POSTGRESDB_DATABASE: DATABASE.name,
		DB_POSTGRESDB_USER: DATABASE.user,
		// With n8n's default of two, many concurrent calls make the database seem lost.
		DB_POSTGRESDB_POOL_SIZE: '10',
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
		WEBHOOK_URL: `${url}/`,
	};
}

/** The executions in a worker's log. */
export async function worked(worker: N8n): Promise<Set<string>> {
	const begun = (await worker.log()).matchAll(/Worker started execution (\d+)/g);
	return new Set([...begun].flatMap(([, id]) => id ?? []));
}
