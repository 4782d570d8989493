import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Log } from './cache.mts';
import { PROJECT, readJson } from './files.mts';
import { ALONE, npm } from './npm.mts';

const SOURCES = ['nodes', 'credentials', 'icons', 'package.json', 'tsconfig.json'];

/** The tarball, and its subresource integrity. Equal content has equal integrity. */
type Packed = Awaited<ReturnType<typeof packProject>>;

const PackReport = z
	.array(z.object({ name: z.string(), filename: z.string(), integrity: z.string() }))
	.length(1);

/**
 * Builds the project if `dist` is outdated, and packs it as for publishing.
 * @param folder the tarball's folder
 */
export async function packProject(folder: string, log: Log) {
	if (await isStale()) {
		log('Building the nodes');
		await npm(['run', 'build'], { cwd: PROJECT });
	}
	await mkdir(folder, { recursive: true });
	const report = await npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
		cwd: PROJECT,
	});
	const [packed] = PackReport.parse(JSON.parse(report));
	if (packed === undefined) throw new Error('npm pack wrote no package');
	return { name: packed.name, file: join(folder, packed.filename), integrity: packed.integrity };
}

/** Whether a source was changed, added or removed since the last build. */
async function isStale(): Promise<boolean> {
	const dist = join(PROJECT, 'dist');
	if (!existsSync(dist)) return true;
	const sources = await Promise.all(SOURCES.map(async (path) => await newest(join(PROJECT, path))));
	return Math.max(...sources) > (await newest(dist));
}

async function newest(path: string): Promise<number> {
	const status = await stat(path);
	if (!status.isDirectory()) return status.mtimeMs;
	const inside = await readdir(path);
	const times = await Promise.all(inside.map(async (name) => await newest(join(path, name))));
	return Math.max(status.mtimeMs, ...times);
}

const Lock = z.object({ packages: z.record(z.object({ integrity: z.string().optional() })) });

/**
 * Installs a packed package as a community node, unless the same content is already installed.
 * @param userFolder n8n's `N8N_USER_FOLDER`
 * @param node the Node.js that runs n8n
 */
export async function installPackage(
	{ name, file, integrity }: Packed,
	userFolder: string,
	node: string,
): Promise<void> {
	const folder = join(userFolder, '.n8n', 'nodes');
	if ((await installedIntegrity(folder, name)) === integrity) return;
	await rm(join(folder, 'node_modules'), { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	const manifest = { name: 'installed-nodes', private: true, dependencies: {} };
	await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
	await npm(['install', ...ALONE, '--omit=peer', '--no-package-lock', file], { cwd: folder, node });
}

async function installedIntegrity(folder: string, name: string): Promise<string | undefined> {
	const notes = join(folder, 'node_modules', '.package-lock.json');
	if (!existsSync(notes)) return undefined;
	return Lock.parse(await readJson(notes)).packages[`node_modules/${name}`]?.integrity;
}
