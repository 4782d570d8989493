import { cp, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { cachedFolder, type Log } from '../host/cache.mts';
import { PROJECT, readJson } from '../host/files.mts';
import { npm } from '../host/npm.mts';

/** The oldest engine that accepts the node's error items unchanged. */
const VERSIONS = ['2.35.2'];
/** The zod version that n8n itself uses for nodes. npm might install a newer one otherwise. */
const ZOD = '^3.25.67';
/** The project files that the tests need, besides packages. */
const COPIED = [
	'.prettierrc.js',
	'dist',
	'nodes',
	'package.json',
	'test',
	'tsconfig.json',
	'vitest.config.mts',
];
const NPM_SETTINGS = ['legacy-peer-deps=true', 'ignore-scripts=true', 'audit=false', 'fund=false'];

/** Installs the engine of an n8n version, with its original packages, in the user's cache. */
async function bringEngine(version: string, log: Log): Promise<string> {
	const folder = await cachedFolder(
		`n8n-core-${version}`,
		async (target, signal) => {
			const dependencies = { 'n8n-core': version, zod: ZOD };
			const manifest = { private: true, dependencies };
			await writeFile(join(target, 'package.json'), JSON.stringify(manifest));
			await writeFile(join(target, '.npmrc'), NPM_SETTINGS.join('\n'));
			const label = `n8n-core ${version}`;
			await npm(['install', '--no-package-lock'], { cwd: target, signal, log, label });
		},
		log,
	);
	return join(folder, 'node_modules');
}

/** Links the packages of `from` into `to`, except existing ones. */
async function linkMissing(from: string, to: string): Promise<void> {
	for (const name of await readdir(from)) {
		const [source, target] = [join(from, name), join(to, name)];
		if (name.startsWith('@') && existsSync(target)) await linkMissing(source, target);
		else if (!existsSync(target)) await symlink(source, target, 'junction');
	}
}

/**
 * Creates a folder with the built package and its tests. Packages of an older n8n take precedence
 * over those of the project, for the nodes, the engine and the tests.
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

const Manifest = z.object({ version: z.string() });

/** Runs the engine tests in that engine version. @returns whether all passed */
async function passesIn(version: string, filters: string[]): Promise<boolean> {
	const folder = await makeFolder(await bringEngine(version, console.log));
	try {
		const packages = join(folder, 'node_modules');
		const workflow = await readJson(join(packages, 'n8n-workflow', 'package.json'));
		console.log(`\nn8n-core ${version}, n8n-workflow ${Manifest.parse(workflow).version}`);
		const vitest = join(packages, 'vitest', 'vitest.mjs');
		const { exitCode } = await execa(
			process.execPath,
			[vitest, 'run', '--project', 'engine', ...filters],
			{ cwd: folder, stdio: 'inherit', reject: false },
		);
		return exitCode === 0;
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

const given = process.argv.slice(2);
const versions = given.filter((argument) => /^\d+\.\d+\.\d+$/.test(argument));
const filters = given.filter((argument) => !versions.includes(argument));
await npm(['run', 'build'], { cwd: PROJECT });
const results: Array<[version: string, passed: boolean]> = [];
for (const version of versions.length > 0 ? versions : VERSIONS) {
	results.push([version, await passesIn(version, filters)]);
}
for (const [version, passed] of results) {
	console.log(`n8n-core ${version}: ${passed ? 'passed' : 'FAILED'}`);
}
if (results.some(([, passed]) => !passed)) process.exitCode = 1;
