import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { execa, ExecaError } from 'execa';

export interface CommandOptions {
	cwd: string;
	/** The Node.js for the command and package scripts; by default, the current version. */
	node?: string;
	signal?: AbortSignal;
	env?: NodeJS.ProcessEnv;
}

/** Settings that npm passes to scripts, and that come from this project, not from the user. */
const OF_THE_CALLER =
	/^(npm_(lifecycle|package|command|config_(local_prefix|ignore_scripts))|INIT_CWD)/i;

/** For packages that don't need scripts or other packages. */
export const ALONE = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];

/**
 * Runs npm with the user's settings (registry, proxy, cache).
 * @returns npm's standard output
 * @throws Error with npm's last lines if it fails
 */
export async function npm(args: string[], options: CommandOptions): Promise<string> {
	return await run(npmCommand(options.node ?? process.execPath), args, options);
}

/** Runs a command in the environment of the user's npm. @returns its standard output */
export async function run(
	[command, ...first]: [string, ...string[]],
	args: string[],
	{ cwd, node = process.execPath, signal, env }: CommandOptions,
): Promise<string> {
	try {
		const { stdout } = await execa(command, [...first, ...args], {
			cwd,
			env: { ...environmentFor(node), ...env },
			extendEnv: false,
			cancelSignal: signal,
			forceKillAfterDelay: 5_000,
		});
		return stdout;
	} catch (error) {
		if (!(error instanceof ExecaError)) throw error;
		const said = String(error.stderr || error.stdout || error.shortMessage).split('\n');
		const what = `${basename(command)} ${args[0]}`;
		throw new Error(`${what} failed:\n${said.slice(-20).join('\n')}`, { cause: error });
	}
}

export async function writeManifest(folder: string, content: object): Promise<void> {
	await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, ...content }));
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
