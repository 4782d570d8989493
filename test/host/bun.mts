import { join } from 'node:path';
import { cachedFolder, cacheRoot, type Log } from './cache.mts';
import { type CommandOptions, npm, run, writeManifest } from './npm.mts';

interface Packages {
	dependencies: Record<string, string>;
	/** Versions of transitive dependencies. */
	overrides?: Record<string, string>;
}

/** The scripts of n8n's dependencies download unneeded sources. Packages are where npm would put them. */
const SETTINGS = ['--ignore-scripts', '--linker=hoisted', '--omit=peer'];

/**
 * Installs packages in a folder with Bun, which needs a tenth of npm's time for n8n.
 * @throws Error with Bun's last lines if it fails
 */
export async function installPackages(
	packages: Packages,
	options: CommandOptions,
	log: Log,
): Promise<void> {
	const bun = await bringBun(log);
	await writeManifest(options.cwd, packages);
	const cache = `--cache-dir=${join(cacheRoot(), 'bun-cache')}`;
	await run([bun], ['install', ...SETTINGS, cache], options);
}

/** The path of Bun's program. npm brings it within seconds. */
export async function bringBun(log: Log): Promise<string> {
	const folder = await cachedFolder(
		`bun-1-${process.platform}-${process.arch}`,
		async (cwd, signal) => {
			await writeManifest(cwd, { dependencies: { bun: '1' } });
			await npm(['install', '--ignore-scripts=false', '--no-audit', '--no-fund'], { cwd, signal });
		},
		log,
	);
	return join(folder, 'node_modules', 'bun', 'bin', 'bun.exe');
}
