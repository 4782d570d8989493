import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import type { Log } from './cache.mts';
import { PROJECT, readJson } from './files.mts';
import { npm } from './npm.mts';

/** What the build reads. */
const SOURCES = ['nodes', 'credentials', 'icons', 'package.json', 'tsconfig.json'];

/** A package as `npm pack` wrote it. */
export interface Packed {
	name: string;
	/** Absolute path of the tarball. */
	file: string;
	/** Subresource integrity of the tarball: the same for the same content. */
	integrity: string;
}

const PackReport = z
	.array(z.object({ name: z.string(), filename: z.string(), integrity: z.string() }))
	.length(1);

/**
 * Builds the project where its sources are newer than `dist`, and packs it as it would be published.
 * @param folder where the tarball is put
 */
export async function packProject(folder: string, log: Log): Promise<Packed> {
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

/** Whether a source was changed, added or removed after the last build. */
async function isStale(): Promise<boolean> {
	const dist = join(PROJECT, 'dist');
	if (!existsSync(dist)) return true;
	const sources = await Promise.all(SOURCES.map(async (path) => await newest(join(PROJECT, path))));
	return Math.max(...sources) > (await newest(dist));
}

/** The latest change, in milliseconds, of a file, or of a folder and all that is in it. */
async function newest(path: string): Promise<number> {
	const status = await stat(path);
	if (!status.isDirectory()) return status.mtimeMs;
	const inside = await readdir(path);
	const times = await Promise.all(inside.map(async (name) => await newest(join(path, name))));
	return Math.max(status.mtimeMs, ...times);
}

const Lock = z.object({ packages: z.record(z.object({ integrity: z.string().optional() })) });

/**
 * Installs a packed package where a user's n8n keeps its community nodes; does nothing where the
 * same content is installed already.
 * @param userFolder the folder that n8n gets as `N8N_USER_FOLDER`
 * @param node the Node that n8n runs on
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
	const flags = ['--ignore-scripts', '--omit=peer', '--legacy-peer-deps', '--no-package-lock'];
	await npm(['install', ...flags, '--no-audit', '--no-fund', file], { cwd: folder, node });
}

/** What npm itself has noted about the package that is there. */
async function installedIntegrity(folder: string, name: string): Promise<string | undefined> {
	const notes = join(folder, 'node_modules', '.package-lock.json');
	if (!existsSync(notes)) return undefined;
	return Lock.parse(await readJson(notes)).packages[`node_modules/${name}`]?.integrity;
}

/** The names of the files in a tarball, for tests of what is published. */
export async function filesIn(tarball: string): Promise<string[]> {
	const { stdout } = await execa('tar', ['-tzf', tarball]);
	return stdout.split('\n').map((name) => name.replace(/^package\//, ''));
}
