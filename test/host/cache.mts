import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { check, lock } from 'proper-lockfile';

/** Takes a line for the person who waits, without a line break. */
export type Log = (line: string) => void;

const STALE_MS = 60_000;
const RETRY_MS = 2_000;
/** Long enough for the slowest install that another process may be busy with. */
const RETRIES = (60 * 60_000) / RETRY_MS;

/** The folder of this project in the user's cache; honours `XDG_CACHE_HOME`. */
export function cacheRoot(): string {
	return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-maxun-robots');
}

/**
 * Gives the folder `name` of the cache, and builds it first where it is missing. A folder gets its
 * name only when it is complete, so what is found under the name is good. A second process that
 * wants the same folder waits for the first.
 * @param build fills the empty folder that it is given; has to stop when the signal aborts
 * @returns the absolute path
 * @throws what `build` throws; nothing is left under the name then
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

/** What a killed install has left; the lock says that nobody works on it any more. */
async function removeLeftovers(name: string): Promise<void> {
	const entries = await readdir(cacheRoot());
	const leftovers = entries.filter((entry) => entry.startsWith(`${name}.partial-`));
	await Promise.all(
		leftovers.map(
			async (entry) => await rm(join(cacheRoot(), entry), { recursive: true, force: true }),
		),
	);
}
