import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PROJECT, readJson } from './files.mts';
import { filesIn, packProject } from './package.mts';

const Manifest = z.object({
	dependencies: z.record(z.string()).optional(),
	n8n: z.object({ nodes: z.array(z.string()), credentials: z.array(z.string()) }),
});

describe('The packed package', () => {
	let folder: string;
	let files: string[];

	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-maxun-robots-'));
		files = await filesIn((await packProject(folder, console.log)).file);
	});

	afterAll(async () => await rm(folder, { recursive: true, force: true }));

	it('the package contains all files that it lists, and needs no other package', async () => {
		const { dependencies, n8n } = Manifest.parse(await readJson(join(PROJECT, 'package.json')));
		expect(files).toEqual(expect.arrayContaining([...n8n.nodes, ...n8n.credentials]));
		expect(dependencies ?? {}).toEqual({});
	});

	it('the package contains no sources, tests or notes', () => {
		const meant =
			/^(LICENSE|README\.md|package\.json|dist\/(nodes|credentials|icons)\/.+\.(js|json|svg))$/;
		expect(files.filter((name) => !meant.test(name))).toEqual([]);
	});
});
