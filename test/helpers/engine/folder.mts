import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function setup(): () => void {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-engine-'));
	process.env.N8N_USER_FOLDER = folder;
	return () => rmSync(folder, { recursive: true, force: true });
}
