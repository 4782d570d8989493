import { existsSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { execa, ExecaError } from 'execa';
import type { Log } from './cache.mts';

export interface NpmOptions {
	cwd: string;
	/** The Node.js for npm and package scripts; by default, the current one. */
	node?: string;
	signal?: AbortSignal;
	/** Called with npm's progress every few seconds. Needs `label`. */
	log?: Log;
	label?: string;
}

const PROGRESS_MS = 5_000;
/** Settings that npm passes to scripts, and that come from this project, not from the user. */
const OF_THE_CALLER =
	/^(npm_(lifecycle|package|command|config_(local_prefix|ignore_scripts))|INIT_CWD)/i;

/**
 * Runs npm with the user's settings (registry, proxy, cache).
 * @returns npm's standard output
 * @throws Error with npm's last lines if it fails
 */
export async function npm(args: string[], options: NpmOptions): Promise<string> {
	const { cwd, node = process.execPath, signal, log, label = '' } = options;
	const [command, ...first] = npmCommand(node);
	const running = execa(command, [...first, ...args, ...(log ? ['--loglevel=http'] : [])], {
		cwd,
		env: environmentFor(node),
		extendEnv: false,
		cancelSignal: signal,
		forceKillAfterDelay: 5_000,
	});
	const report = log && new Progress(label, log);
	try {
		if (report) for await (const line of running.iterable({ from: 'stderr' })) report.take(line);
		return (await running).stdout;
	} catch (error) {
		throw explain(error, args);
	} finally {
		report?.end();
	}
}

/** The npm that started this process, with the same Node.js. Otherwise, the `npm` in the path. */
function npmCommand(node: string): [string, ...string[]] {
	const script = process.env.npm_execpath;
	return script !== undefined && basename(script).startsWith('npm-cli') ? [node, script] : ['npm'];
}

function environmentFor(node: string): NodeJS.ProcessEnv {
	const kept = Object.entries(process.env).filter(([name]) => !OF_THE_CALLER.test(name));
	return { ...Object.fromEntries(kept), ...headersOf(node), PATH: pathWith(node) };
}

/** The C headers that native modules need, if this Node.js contains them. */
function headersOf(node: string): NodeJS.ProcessEnv {
	const root = dirname(dirname(node));
	return existsSync(join(root, 'include', 'node', 'node.h')) ? { npm_config_nodedir: root } : {};
}

/** This process's search path, starting with the folder of `node`. */
export function pathWith(node: string): string {
	return [dirname(node), process.env.PATH ?? ''].join(delimiter);
}

function explain(error: unknown, args: string[]): unknown {
	if (!(error instanceof ExecaError)) return error;
	const said = String(error.stderr || error.stdout || error.shortMessage)
		.split('\n')
		.filter((line) => !line.startsWith('npm http'));
	return new Error(`npm ${args[0]} failed:\n${said.slice(-20).join('\n')}`, { cause: error });
}

class Progress {
	private packages = 0;
	private readonly started = Date.now();
	private readonly timer = setInterval(() => this.say(), PROGRESS_MS);

	constructor(
		private readonly label: string,
		private readonly log: Log,
	) {}

	take(line: string) {
		if (/^npm http fetch.*\.tgz\b/.test(line)) this.packages++;
	}

	end() {
		clearInterval(this.timer);
	}

	private say() {
		const seconds = Math.round((Date.now() - this.started) / 1000);
		this.log(`${this.label}: ${this.packages} packages fetched, ${seconds} s`);
	}
}
