import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { lock } from 'proper-lockfile';
import { z } from 'zod';
import { type Sandbox, startSandbox } from '../sandbox/index.mts';
import { LOGIN, prepareDemo } from './demo.mts';
import { PROJECT, readJson } from './files.mts';
import { bringN8n } from './install.mts';
import { N8n } from './n8n.mts';
import { installPackage, packProject } from './package.mts';
import { isFree } from './ports.mts';
import { N8nRefusal, N8nRest } from './rest.mts';

const FOLDER = join(PROJECT, '.sandbox');
const NOTES = join(FOLDER, 'running.json');

type Ports = ReturnType<typeof readPorts>;

/** An error that the user can fix, shown without a stack. */
class Advice extends Error {}

function readPorts() {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '5678' },
			'sandbox-port': { type: 'string', default: '8787' },
		},
	});
	return {
		port: portOf('--port', values.port),
		sandboxPort: portOf('--sandbox-port', values['sandbox-port']),
	};
}

function portOf(option: string, text: string): number {
	const port = Number(text);
	if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
	throw new Advice(`${option} takes a port number, not "${text}"`);
}

/** Reports a port that is in use before anything is installed or started. */
async function demandFree({ port, sandboxPort }: Ports): Promise<void> {
	const wanted = [
		{ what: 'n8n', option: '--port', port },
		{ what: 'the sandbox', option: '--sandbox-port', port: sandboxPort },
	];
	for (const { what, option, port } of wanted) {
		if (await isFree(port)) continue;
		throw new Advice(
			`Port ${port}, which ${what} is to have, is taken by another program. Stop that program, or choose another port: npm start -- ${option} ${port + 1}`,
		);
	}
}

/**
 * Makes this the folder's only start.
 * @returns a function that frees the folder, or undefined if another start is running
 */
async function claim(): Promise<(() => Promise<void>) | undefined> {
	await mkdir(FOLDER, { recursive: true });
	const free = async (retries: number) =>
		await lock(FOLDER, { retries, lockfilePath: join(FOLDER, 'start.lock') });
	try {
		return await free(0);
	} catch {
		if (await showRunning()) return undefined;
		// A killed start's claim expires within seconds.
		return await free(5);
	}
}

const Notes = z.object({ url: z.string(), text: z.string() });

async function showRunning(): Promise<boolean> {
	if (!existsSync(NOTES)) return false;
	const { url, text } = Notes.parse(await readJson(NOTES));
	const answers = await fetch(`${url}/healthz`).then(
		({ ok }) => ok,
		() => false,
	);
	if (answers) console.log(`It is running already.\n\n${text}`);
	return answers;
}

class Shutdown {
	asked = false;
	private readonly steps: Array<() => Promise<void>> = [];

	constructor() {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
			process.on(signal, () => this.ask());
		}
		if (process.env.npm_lifecycle_event !== undefined) this.watchNpm(process.ppid);
	}

	add(step: () => Promise<void>) {
		this.steps.push(step);
	}

	async run(): Promise<void> {
		for (const step of this.steps.splice(0).reverse()) await step();
	}

	/** Ctrl-C may arrive twice, from the terminal and from npm. */
	private ask() {
		if (this.asked) return;
		this.asked = true;
		console.log('\nStopping');
		this.run().then(() => process.exit(0), fail);
	}

	/** The shell between npm and this process ends without forwarding SIGTERM. */
	private watchNpm(parent: number) {
		const look = () => process.ppid !== parent && this.ask();
		setInterval(look, 500).unref();
	}
}

async function main(shutdown: Shutdown): Promise<void> {
	const ports = readPorts();
	const release = await claim();
	if (release === undefined) return;
	shutdown.add(release);
	await demandFree(ports);
	// The build takes less time than the first installation of n8n.
	const [runtime, packed] = await Promise.all([
		bringN8n(console.log),
		packProject(join(FOLDER, 'package'), console.log),
	]);
	const userFolder = join(FOLDER, 'n8n');
	await installPackage(packed, userFolder, runtime.node);
	console.log('Starting the sandbox and n8n');
	const stateFile = join(FOLDER, 'state.json');
	const sandbox = await startSandbox({ port: ports.sandboxPort, stateFile });
	shutdown.add(sandbox.close);
	const n8n = await N8n.create({ runtime, userFolder, port: ports.port });
	shutdown.add(async () => await n8n.stop());
	await n8n.start();
	const text = describe(n8n, sandbox, await demo(n8n, sandbox));
	await writeFile(NOTES, JSON.stringify({ url: n8n.url, text }));
	console.log(`\n${text}\n\nCtrl-C stops both.`);
	await n8n.ended();
	throw new Advice(`n8n has ended by itself; see ${n8n.logFile}`);
}

/** The examples' IDs by name. Empty if a user has changed the account; n8n then isn't changed. */
async function demo(n8n: N8n, sandbox: Sandbox): Promise<Map<string, string>> {
	try {
		const rest = await N8nRest.open(n8n.url, LOGIN);
		return await prepareDemo(rest, sandbox);
	} catch (error) {
		if (!(error instanceof N8nRefusal) || error.status !== 401) throw error;
		console.log(
			'The account of this n8n instance is no longer the demo account: nothing was added.',
		);
		return new Map();
	}
}

function describe(n8n: N8n, sandbox: Sandbox, examples: Map<string, string>): string {
	const workflows = [...examples].map(([name, id]) => `  ${name}\n    ${n8n.url}/workflow/${id}`);
	return [
		`n8n        ${n8n.url}`,
		`Log-in     ${LOGIN.email}  ${LOGIN.password}`,
		`Sandbox    ${sandbox.baseUrl} (the API), ${sandbox.siteUrl}/ (the demo shop)`,
		...(workflows.length > 0 ? ['Workflows to open and execute:', ...workflows] : []),
	].join('\n');
}

function fail(error: unknown): never {
	console.error(error instanceof Advice ? error.message : error);
	process.exit(1);
}

const shutdown = new Shutdown();
main(shutdown).catch(async (error: unknown) => {
	// A stop makes active work fail, as intended.
	if (shutdown.asked) return;
	await shutdown.run();
	fail(error);
});
