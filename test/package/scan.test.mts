import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PROJECT } from '../host/files.mts';
import { type Unpacked, unpackProject } from './packed.mts';

// In a test runner, two of n8n's rules treat every file as a node.
vi.stubEnv('NODE_ENV', 'production');
const { analyzePackage, SOURCE_FILE_PATTERNS } = await import(
	'@n8n/scan-community-package/scanner/scanner.mjs'
);

let unpacked: Unpacked;

beforeAll(async () => {
	unpacked = await unpackProject();
});

afterAll(async () => {
	vi.unstubAllEnvs();
	await unpacked?.remove();
});

// The test leaves out the scan's lookups, because the registry has provenance and source only after publishing.
describe("n8n's scan of community packages", () => {
	it('the scan passes the published files', async () => {
		expect(await analyzePackage(unpacked.folder)).toEqual({ passed: true });
	});

	it('the scan passes the source', async () => {
		expect(await analyzePackage(PROJECT, SOURCE_FILE_PATTERNS)).toEqual({ passed: true });
	});

	it('the scan finds forbidden code', async () => {
		const bad = join(unpacked.folder, 'dist', 'nodes', 'bad.js');
		await writeFile(bad, `require('fs'); // eslint-disable-line\nconsole.log(process.env);\n`);
		const { passed, details } = await analyzePackage(unpacked.folder, ['dist/nodes/bad.js']);
		expect(passed).toBe(false);
		expect(details).toContain('no-restricted-imports');
		expect(details).toContain('no-console');
	});
});
