import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CloudClient } from '../helpers/client.mts';
import { TestSandbox } from '../helpers/sandbox.mts';
import type { Settings } from '../sandbox/index.mts';
import { LOGIN, prepareDemo } from './demo.mts';
import { bringN8n } from './install.mts';
import { N8n } from './n8n.mts';
import { installPackage, packProject } from './package.mts';
import { freePort } from './ports.mts';
import { N8nRest } from './rest.mts';

/** A new n8n instance with the packed nodes, the demo's account, credential and examples, and a new sandbox. */
export interface Stage {
	n8n: N8n;
	sandbox: TestSandbox;
	rest: N8nRest;
	/** The sandbox's Maxun Cloud API, for the owner of the demo robots. */
	maxun: CloudClient;
	example(name: string): string;
	close(): Promise<void>;
}

export interface StageOptions {
	settings?: Partial<Settings>;
	/** More settings of n8n. */
	env?: Record<string, string>;
	/** The name by which other computers reach this computer. */
	host?: string;
}

/** Creates a stage on free ports, in its own folder. */
export async function openStage({ settings, env, host }: StageOptions = {}): Promise<Stage> {
	const runtime = await bringN8n(console.log);
	const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-maxun-robots-'));
	const userFolder = join(folder, 'n8n');
	await installPackage(await packProject(folder, console.log), userFolder, runtime.node);
	const sandbox = await TestSandbox.start({ settings, host: host && '0.0.0.0' });
	const port = await freePort();
	const address = host && { N8N_LISTEN_ADDRESS: '0.0.0.0', WEBHOOK_URL: `http://${host}:${port}/` };
	const n8n = await N8n.create({ runtime, userFolder, port, env: { ...address, ...env } });
	const close = async () => {
		await n8n.stop();
		await sandbox.stop();
		await rm(folder, { recursive: true, force: true });
	};
	try {
		await n8n.start();
		return { ...(await enter(n8n, sandbox)), close };
	} catch (error) {
		await close();
		throw error;
	}
}

/** Logs in, and adds the demo's credentials and examples. */
export async function enter(n8n: N8n, sandbox: TestSandbox) {
	const rest = await N8nRest.open(n8n.url, LOGIN);
	const ids = await prepareDemo(rest, sandbox);
	const example = (name: string) => {
		const id = ids.get(name);
		if (id === undefined) throw new Error(`There is no example called ${name}`);
		return id;
	};
	return { n8n, sandbox, rest, maxun: sandbox.owner, example };
}

export async function chooseCredential(
	{ rest }: Pick<Stage, 'rest'>,
	workflowId: string,
	nodeName: string,
	type: string,
	data: Record<string, unknown>,
): Promise<void> {
	const { id, name } = await rest.createCredential({ name: `For ${nodeName}`, type, data });
	await rest.changeNode(workflowId, nodeName, { credentials: { [type]: { id, name } } });
}
