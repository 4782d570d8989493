import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { installPackages } from '../host/bun.mts';
import { cachedFolder, type Log } from '../host/cache.mts';
import { PROJECT, readJson } from '../host/files.mts';
import { npm } from '../host/npm.mts';
import { RELEASES, type Release } from '../host/releases.mts';

/** The project files that the tests need, besides packages. */
const COPIED = [
	'.prettierrc.js',
	'credentials',
	'dist',
	'docs',
	'nodes',
	'package.json',
	'test',
	'tsconfig.json',
	'vitest.config.mts',
];

/** Installs an n8n version's engine with its original packages in the user's cache. */
async function bringEngine({ core, zod }: Release, log: Log): Promise<string> {
	const folder = await cachedFolder(
		`n8n-core-${core}`,
		async (cwd, signal) => {
			log(`Installing n8n-core ${core}`);
			// Otherwise, the engine might get a newer zod than n8n gives to nodes.
			const packages = { dependencies: { 'n8n-core': core, zod } };
			await installPackages(packages, { cwd, signal }, log);
		},
		log,
	);
	return join(folder, 'node_modules');
}

/** Links the packages of `from` into `to`, except existing packages. */
async function linkMissing(from: string, to: string): Promise<void> {
	for (const name of await readdir(from)) {
		const [source, target] = [join(from, name), join(to, name)];
		if (name.startsWith('@') && existsSync(target)) await linkMissing(source, target);
		else if (!existsSync(target)) await symlink(source, target, 'junction');
	}
}

/**
 * Creates a folder with the built package and its tests. An older n8n's packages take precedence over the project's,
 * for the nodes, the engine and the tests.
 */
async function makeFolder(engine: string): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-maxun-robots-compat-'));
	for (const name of COPIED) {
		await cp(join(PROJECT, name), join(folder, name), { recursive: true });
	}
	const packages = join(folder, 'node_modules');
	await cp(engine, packages, { recursive: true, verbatimSymlinks: true });
	await linkMissing(join(PROJECT, 'node_modules'), packages);
	return folder;
}

/** Makes the nodes use the zod 4 in zod 3.25, as newer n8n versions may. */
async function useZod4(folder: string): Promise<void> {
	const target = join(folder, 'dist', 'node_modules', 'zod');
	await mkdir(target, { recursive: true });
	const zod4 = JSON.stringify(join(folder, 'node_modules', 'zod', 'v4'));
	await writeFile(join(target, 'index.js'), `module.exports = require(${zod4});`);
}

const Manifest = z.object({ version: z.string() });

const isZod4 = process.argv.includes('--zod4');

async function passesIn(release: Release, filters: string[]): Promise<boolean> {
	const { files = [], titles = [] } = release.lacks ?? {};
	const excluded = files.map((name) => `--exclude=test/engine/${name}*`);
	if (titles.length > 0) excluded.push(`--testNamePattern=^(?!.*(${titles.join('|')}))`);
	const folder = await makeFolder(await bringEngine(release, console.log));
	try {
		const packages = join(folder, 'node_modules');
		const workflow = await readJson(join(packages, 'n8n-workflow', 'package.json'));
		const { version } = Manifest.parse(workflow);
		console.log(`\nn8n ${release.n8n}: n8n-core ${release.core}, n8n-workflow ${version}`);
		if (isZod4) await useZod4(folder);
		const vitest = join(packages, 'vitest', 'vitest.mjs');
		const { exitCode } = await execa(
			process.execPath,
			[vitest, 'run', '--project', 'engine', ...excluded, ...filters],
			{ cwd: folder, stdio: 'inherit', reject: false },
		);
		return exitCode === 0;
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

// Arguments are n8n versions (by default, all) and filters for test files. With `--zod4`, the nodes use zod 4.
const given = process.argv.slice(2).filter((argument) => argument !== '--zod4');
const isVersion = (argument: string) => /^\d+\.\d+\.\d+$/.test(argument);
const filters = given.filter((argument) => !isVersion(argument));
const releases = given.some(isVersion)
	? RELEASES.filter(({ n8n }) => given.includes(n8n))
	: RELEASES;
await npm(['run', 'build'], { cwd: PROJECT });
const results: Array<[n8n: string, passed: boolean]> = [];
for (const release of releases) results.push([release.n8n, await passesIn(release, filters)]);
for (const [n8n, passed] of results) console.log(`n8n ${n8n}: ${passed ? 'passed' : 'FAILED'}`);
if (results.some(([, passed]) => !passed) || results.length === 0) process.exitCode = 1;
