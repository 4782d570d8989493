import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { extname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PROJECT, readJson } from '../host/files.mts';
import { type Unpacked, unpackProject } from './packed.mts';

/** The modules that n8n allows in nodes: n8n's own packages, and Node.js's harmless `crypto`. */
const ALLOWED = ['crypto', 'luxon', 'n8n-workflow', 'zod'];
/** The code has neither comments nor maps, and isn't minified, so that n8n's reviewers can read it. */
const MAX_BYTES = 300_000;

const Manifest = z
	.object({
		name: z.string(),
		keywords: z.array(z.string()),
		license: z.string(),
		peerDependencies: z.record(z.string()),
		files: z.array(z.string()),
		n8n: z.object({
			strict: z.boolean(),
			n8nNodesApiVersion: z.number(),
			credentials: z.array(z.string()),
			nodes: z.array(z.string()),
		}),
	})
	.passthrough();

let unpacked: Unpacked;
let paths: string[];
let manifest: z.infer<typeof Manifest>;

beforeAll(async () => {
	unpacked = await unpackProject();
	paths = unpacked.files.map(({ path }) => path).sort();
	manifest = Manifest.parse(await readJson(join(unpacked.folder, 'package.json')));
});

afterAll(async () => await unpacked?.remove());

const read = async (path: string) => await readFile(join(unpacked.folder, path), 'utf8');

describe('The published package', () => {
	it('the package contains only what n8n loads', () => {
		const outside = paths.filter((path) => !path.startsWith('dist/'));
		expect(outside).toEqual(['LICENSE', 'README.md', 'package.json']);
		const folders = ['dist/credentials/', 'dist/icons/', 'dist/nodes/'];
		const inside = paths.filter((path) => path.startsWith('dist/'));
		expect(inside.filter((path) => !folders.some((folder) => path.startsWith(folder)))).toEqual([]);
		const kinds = new Set(inside.map((path) => extname(path)));
		expect([...kinds].sort()).toEqual(['.js', '.json', '.svg']);
		expect(
			paths.filter((path) => /\.(test|spec)\.|(^|\/)tests?\/|\.map$|tsbuildinfo/.test(path)),
		).toEqual([]);
	});

	it('the package contains every file that its manifest and nodes refer to', async () => {
		const { nodes, credentials } = manifest.n8n;
		expect(nodes.length).toBeGreaterThan(0);
		expect(credentials.length).toBeGreaterThan(0);
		expect(paths).toEqual(expect.arrayContaining([...nodes, ...credentials]));
		for (const node of nodes) {
			expect(paths).toContain(node.replace(/\.js$/, '.json'));
			const icons = [...(await read(node)).matchAll(/file:([^'"]+)/g)];
			expect(icons.length).toBeGreaterThan(1);
			for (const [, icon = ''] of icons) expect(paths).toContain(join(node, '..', icon));
		}
	});

	it('the package has no dependencies, and n8n as its only peer', () => {
		for (const field of ['dependencies', 'optionalDependencies', 'bundleDependencies']) {
			expect(manifest).not.toHaveProperty(field);
		}
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
		for (const script of ['preinstall', 'install', 'postinstall']) {
			expect(manifest).not.toHaveProperty(['scripts', script]);
		}
	});

	it('the manifest describes the package', async () => {
		expect(manifest.name).toMatch(/^n8n-nodes-/);
		expect(manifest.keywords).toContain('n8n-community-node-package');
		expect(manifest).toMatchObject({
			license: 'MIT',
			n8n: { strict: true, n8nNodesApiVersion: 1 },
		});
		expect(await read('LICENSE')).toContain('MIT License');
		const readme = await read('README.md');
		expect(readme).toMatch(new RegExp(`^# ${manifest.name}`));
	});

	it('the code imports only modules that n8n allows', async () => {
		const used = new Set<string>();
		for (const path of paths.filter((one) => one.endsWith('.js'))) {
			const text = await read(path);
			expect(text, path).not.toMatch(/\bimport\(|\beval\(|new Function\(/);
			for (const [, name = ''] of text.matchAll(/\brequire\(['"]([^'"]+)['"]\)/g)) {
				if (!name.startsWith('.')) used.add(name);
			}
		}
		expect([...used].filter((name) => !ALLOWED.includes(name))).toEqual([]);
		expect([...used].filter((name) => builtinModules.includes(name))).toEqual(['crypto']);
	});

	it('the package is smaller than its size limit', () => {
		const kilobytes = (bytes: number) => Math.round(bytes / 1024);
		const { size, unpackedSize, files } = unpacked;
		console.log(
			`${files.length} files, ${kilobytes(size)} KB packed, ${kilobytes(unpackedSize)} KB unpacked`,
		);
		expect(size).toBeLessThan(MAX_BYTES);
	});

	it('all nodes and credentials load within two seconds of CPU time', async () => {
		const loader = `
			require('n8n-workflow'); require('zod');
			const start = process.cpuUsage();
			for (const path of ${JSON.stringify([...manifest.n8n.credentials, ...manifest.n8n.nodes])})
				for (const type of Object.values(require(${JSON.stringify(PROJECT)} + path))) new type();
			const { user, system } = process.cpuUsage(start);
			console.log((user + system) / 1000);`;
		const { stdout } = await execa(process.execPath, ['-e', loader], { cwd: PROJECT });
		console.log(
			`All nodes and credentials load in ${Math.round(Number(stdout))} ms of processor time`,
		);
		expect(Number(stdout)).toBeLessThan(2_000);
	});
});
