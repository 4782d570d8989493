import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PROJECT } from '../host/files.mts';
import { type Unpacked, unpackProject } from './packed.mts';

// Two of n8n's rules take every file for a node of their own tests where they see a test run.
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

// All of n8n's scan but its look-ups: provenance and source come from the registry once it is published.
describe('The scan that n8n makes of community packages', () => {
	it('the scan passes the published files', async () => {
		expect(await analyzePackage(unpacked.folder)).toEqual({ passed: true });
	});

	it('the scan passes the source', async () => {
		expect(await analyzePackage(PROJECT, SOURCE_FILE_PATTERNS)).toEqual({ passed: true });
	});

	it('the scan finds code that is forbidden', async () => {
		const bad = join(unpacked.folder, 'dist', 'nodes', 'bad.js');
		await writeFile(bad, `require('fs'); // eslint-disable-line\nconsole.log(process.env);\n`);
		const { passed, details } = await analyzePackage(unpacked.folder);
		expect(passed).toBe(false);
		expect(details).toContain('no-restricted-imports');
		expect(details).toContain('no-console');
	});
});
