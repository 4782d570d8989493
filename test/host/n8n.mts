import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import type { Runtime } from './install.mts';
import { pathWith } from './npm.mts';
import { freePort } from './ports.mts';

export interface N8nOptions {
	runtime: Runtime;
	/** The folder for this n8n instance's database, key, log and nodes; also the working folder. */
	userFolder: string;
	port?: number;
	/** More settings, such as `{ EXECUTIONS_MODE: 'queue' }`. They override those set here. */
	env?: Record<string, string>;
	command?: string[];
}

const READY_MS = 180_000;
const STOP_MS = 20_000;
/** Variables that n8n's environment keeps. Others may be settings of the user's n8n, npm or the test runner. */
const PASSED_ON =
	/^(HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|XDG_\w+|SystemRoot|APPDATA|LOCALAPPDATA|USERPROFILE|NODE_EXTRA_CA_CERTS)$/i;

export class N8n {
	/** The base URL of the editor, the REST API and webhooks. */
	readonly url: string;
	readonly logFile: string;
	private process: ChildProcess | undefined;
	private exit: Promise<unknown> = Promise.resolve();

	private constructor(
		private readonly options: N8nOptions,
		private readonly port: number,
		private readonly broker: number,
	) {
		this.url = `http://localhost:${port}`;
		this.logFile = join(options.userFolder, 'n8n.log');
	}

	static async create(options: N8nOptions): Promise<N8n> {
		return new N8n(options, options.port ?? (await freePort()), await freePort());
	}

	/**
	 * Starts n8n and waits until it responds. After `stop` or `kill`, it uses the same folder, port and settings.
	 * @throws Error with the end of the log if n8n ends early or isn't ready within 3 minutes
	 */
	async start(): Promise<void> {
		if (this.process !== undefined) throw new Error('n8n is running already');
		await mkdir(this.filesFolder, { recursive: true });
		const log = await open(this.logFile, 'a');
		this.process = this.spawn(log.fd);
		this.exit = once(this.process, 'exit');
		process.on('exit', this.onExit);
		await log.close();
		try {
			await this.ready(this.process);
		} catch (error) {
			await this.kill();
			throw error;
		}
	}

	/** Stops n8n like Ctrl-C, and waits. Kills it if this takes too long. */
	async stop(): Promise<void> {
		await this.end('SIGTERM', STOP_MS);
	}

	/** Kills n8n and its task runner at once, like a power failure. */
	async kill(): Promise<void> {
		await this.end('SIGKILL', 0);
	}

	async restart(): Promise<void> {
		await this.stop();
		await this.start();
	}

	async ended(): Promise<void> {
		await this.exit;
	}

	async log(): Promise<string> {
		return await readFile(this.logFile, 'utf8');
	}

	/** Runs another command with the same data. @returns its output */
	async command(...command: string[]): Promise<string> {
		const { runtime, userFolder } = this.options;
		const options = { cwd: userFolder, env: this.environment(), extendEnv: false };
		return (await execa(runtime.node, [runtime.n8n, ...command], options)).stdout;
	}

	get filesFolder(): string {
		return join(this.options.userFolder, '.n8n-files');
	}

	private spawn(log: number): ChildProcess {
		const { runtime, userFolder, command = ['start'] } = this.options;
		return spawn(runtime.node, [runtime.n8n, ...command], {
			cwd: userFolder,
			env: this.environment(),
			stdio: ['ignore', log, log],
			// A process group, so that only this process gets Ctrl-C, and the task runner ends with n8n.
			detached: true,
		});
	}

	private environment(): NodeJS.ProcessEnv {
		const own = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name));
		return {
			...Object.fromEntries(own),
			PATH: pathWith(this.options.runtime.node),
			N8N_USER_FOLDER: this.options.userFolder,
			N8N_PORT: String(this.port),
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			WEBHOOK_URL: `http://127.0.0.1:${this.port}/`,
			N8N_RUNNERS_BROKER_PORT: String(this.broker),
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(this.port),
			N8N_RESTRICT_FILE_ACCESS_TO: this.filesFolder,
			N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
			N8N_SECURE_COOKIE: 'false',
			N8N_DIAGNOSTICS_ENABLED: 'false',
			N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
			N8N_TEMPLATES_ENABLED: 'false',
			N8N_PERSONALIZATION_ENABLED: 'false',
			N8N_HIRING_BANNER_ENABLED: 'false',
			// n8n 1.x would store an execution's status before its data.
			DB_SQLITE_POOL_SIZE: '3',
			NO_COLOR: '1',
			...this.options.env,
		};
	}

	private async ready(child: ChildProcess): Promise<void> {
		const limit = AbortSignal.timeout(READY_MS);
		while (!(await this.answers())) {
			if (child.exitCode !== null || child.signalCode !== null)
				throw new Error(`n8n ended:\n${await this.lastLines()}`);
			if (limit.aborted) throw new Error(`n8n is not ready in time:\n${await this.lastLines()}`);
			await sleep(200);
		}
	}

	private async answers(): Promise<boolean> {
		// Older versions are ready before their REST API exists. Workers and webhook processors don't have a REST API.
		const isMain = this.options.command === undefined;
		const paths = ['healthz/readiness', ...(isMain ? ['rest/settings'] : [])];
		const answers = paths.map(async (path) => (await fetch(`${this.url}/${path}`)).ok);
		return await Promise.all(answers).then(
			(all) => all.every(Boolean),
			() => false,
		);
	}

	private async lastLines(): Promise<string> {
		return (await this.log()).split('\n').slice(-25).join('\n');
	}

	private async end(signal: NodeJS.Signals, patience: number): Promise<void> {
		const { process: child } = this;
		if (child === undefined) return;
		if (signal !== 'SIGKILL') {
			child.kill(signal);
			await Promise.race([this.exit, sleep(patience, undefined, { ref: false })]);
		}
		this.killGroup(child.pid);
		await this.exit;
		process.off('exit', this.onExit);
		this.process = undefined;
	}

	/** Kills n8n if this process ends without stopping it. */
	private readonly onExit = () => this.killGroup(this.process?.pid);

	private killGroup(pid: number | undefined) {
		if (pid === undefined) return;
		try {
			process.kill(-pid, 'SIGKILL');
		} catch {}
	}
}
