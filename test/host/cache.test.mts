import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cachedFolder, cacheRoot } from './cache.mts';

describe('A folder of the cache', () => {
	let root: string;

	const build = vi.fn(async (folder: string) => {
		await writeFile(join(folder, 'content'), 'whole');
	});

	beforeEach(async () => {
		root = await mkdtemp(join(tmpdir(), 'n8n-nodes-maxun-robots-'));
		build.mockClear();
		vi.stubEnv('XDG_CACHE_HOME', root);
	});

	afterEach(async () => {
		vi.unstubAllEnvs();
		await rm(root, { recursive: true, force: true });
	});

	it('a folder is built once, even if two need it at the same time', async () => {
		const want = async () => await cachedFolder('thing', build, () => undefined);
		const [one, other] = await Promise.all([want(), want()]);
		expect(one).toBe(other);
		expect(await want()).toBe(one);
		expect(build).toHaveBeenCalledTimes(1);
		expect(await readFile(join(one, 'content'), 'utf8')).toBe('whole');
	});

	it('a folder whose build fails does not exist, and can be built again', async () => {
		const broken = async (folder: string) => {
			await writeFile(join(folder, 'content'), 'half');
			throw new Error('no network');
		};
		await expect(cachedFolder('thing', broken, () => undefined)).rejects.toThrow('no network');
		expect(await readdir(cacheRoot())).toEqual([]);
		const folder = await cachedFolder('thing', build, () => undefined);
		expect(await readFile(join(folder, 'content'), 'utf8')).toBe('whole');
	});

	it('a new build removes the rest of a killed one', async () => {
		const leftover = join(cacheRoot(), 'thing.partial-1');
		await mkdir(leftover, { recursive: true });
		await cachedFolder('thing', build, () => undefined);
		expect(existsSync(leftover)).toBe(false);
	});
});
