import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { check, lock } from 'proper-lockfile';

export type Log = (line: string) => void;

const STALE_MS = 60_000;
const RETRY_MS = 2_000;
/** Longer than another process's slowest install. */
const RETRIES = (60 * 60_000) / RETRY_MS;

/** This project's folder in the user's cache. Respects `XDG_CACHE_HOME`. */
export function cacheRoot(): string {
	return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-maxun-robots');
}

/**
 * The path of the cache folder `name`, which is built if it is missing. A folder gets its name only once it is
 * complete. Another process that needs the same folder waits for the first process.
 * @param build fills the empty folder; must stop when the signal aborts
 * @returns the absolute path
 * @throws what `build` throws, and doesn't leave a folder with this name
 */
export async function cachedFolder(
	name: string,
	build: (folder: string, signal: AbortSignal) => Promise<void>,
	log: Log,
): Promise<string> {
	const folder = join(cacheRoot(), name);
	if (existsSync(folder)) return folder;
	await mkdir(cacheRoot(), { recursive: true });
	if (await check(folder, { realpath: false, stale: STALE_MS })) {
		log(`Another process is installing ${name}; waiting for it`);
	}
	const lost = new AbortController();
	const release = await lock(folder, {
		realpath: false,
		stale: STALE_MS,
		retries: { retries: RETRIES, minTimeout: RETRY_MS, maxTimeout: RETRY_MS },
		onCompromised: (error) => lost.abort(error),
	});
	try {
		if (!existsSync(folder)) await buildWhole(folder, name, build, lost.signal);
	} finally {
		if (!lost.signal.aborted) await release();
	}
	return folder;
}

async function buildWhole(
	folder: string,
	name: string,
	build: (folder: string, signal: AbortSignal) => Promise<void>,
	signal: AbortSignal,
): Promise<void> {
	await removeLeftovers(name);
	const partial = `${folder}.partial-${process.pid}`;
	await mkdir(partial);
	try {
		await build(partial, signal);
		signal.throwIfAborted();
		await rename(partial, folder);
	} catch (error) {
		await rm(partial, { recursive: true, force: true });
		throw error;
	}
}

/** What a killed install left behind. The lock shows that no process uses it. */
async function removeLeftovers(name: string): Promise<void> {
	const entries = await readdir(cacheRoot());
	const leftovers = entries.filter((entry) => entry.startsWith(`${name}.partial-`));
	await Promise.all(
		leftovers.map(
			async (entry) => await rm(join(cacheRoot(), entry), { recursive: true, force: true }),
		),
	);
}
