import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedFolder, cacheRoot, type Log } from './cache.mts';
import { ALONE, type CommandOptions, npm, run, writeManifest } from './npm.mts';

const PROGRESS_MS = 5_000;

/** The scripts of n8n's dependencies download unneeded sources. Packages are where npm would put them. */
const SETTINGS = [
	'node-linker=hoisted',
	'ignore-scripts=true',
	'auto-install-peers=false',
	'lockfile=false',
];

interface Packages {
	dependencies: Record<string, string>;
	/** Versions of transitive dependencies. */
	overrides?: Record<string, string>;
}

/**
 * Installs packages in a folder. pnpm needs a third of npm's time for n8n.
 * @param log called with pnpm's progress every few seconds
 * @throws Error with pnpm's last lines if it fails
 */
export async function installPackages(
	{ dependencies, overrides }: Packages,
	options: CommandOptions & { label: string; log: Log },
): Promise<void> {
	const { cwd, node = process.execPath, label, log } = options;
	const pnpm = await bringPnpm(log);
	await writeManifest(cwd, { dependencies, pnpm: { overrides } });
	const store = `store-dir=${join(cacheRoot(), 'pnpm-store')}`;
	await writeFile(join(cwd, '.npmrc'), [...SETTINGS, store].join('\n'));
	const started = Date.now();
	let done = 'starting';
	const onLine = (line: string) => (done = /^Progress: (.*)/.exec(line)?.[1] ?? done);
	const timer = setInterval(() => {
		log(`${label}: ${done}, ${Math.round((Date.now() - started) / 1000)} s`);
	}, PROGRESS_MS);
	try {
		const args = ['install', '--ignore-workspace', '--reporter=append-only'];
		await run([node, pnpm], args, { ...options, onLine });
	} finally {
		clearInterval(timer);
	}
}

/** The path of pnpm's script. It has no dependencies, so npm brings it within seconds. */
async function bringPnpm(log: Log): Promise<string> {
	const folder = await cachedFolder(
		'pnpm-10',
		async (cwd, signal) => {
			await writeManifest(cwd, { dependencies: { pnpm: '10' } });
			await npm(['install', ...ALONE], { cwd, signal });
		},
		log,
	);
	return join(folder, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs');
}
