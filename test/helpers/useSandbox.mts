import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { SandboxOptions } from '../sandbox/index.mts';
import { DEFAULT_SETTINGS } from '../sandbox/settings.mts';
import { TestSandbox } from './sandbox.mts';

/**
 * A sandbox for one test file. Before each test, it has its first settings again, and no active runs, recorded requests or
 * faults.
 */
export function useSandbox(options: SandboxOptions = {}): TestSandbox {
	const sandbox = new TestSandbox();
	beforeAll(async () => await sandbox.start(options));
	afterAll(sandbox.stop);
	beforeEach(async () => {
		await sandbox.control.begin({ ...DEFAULT_SETTINGS, ...options.settings });
		await clear(sandbox);
	});
	return sandbox;
}

/** A request for a page beyond a list's end may reach the sandbox after the node has ended. In milliseconds. */
const LATEST_REQUEST = 10;
const MOST_TIMES = 10;

async function clear(sandbox: TestSandbox): Promise<void> {
	for (let times = 0; times < MOST_TIMES; times++) {
		await sandbox.control.clear();
		await sleep(LATEST_REQUEST);
		if ((await sandbox.sent()).length === 0) return;
	}
}
