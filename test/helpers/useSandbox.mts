import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { SandboxOptions } from '../sandbox/index.mts';
import { TestSandbox } from './sandbox.mts';

/** A sandbox for one test file, without recorded requests and faults before each test. */
export function useSandbox(options?: SandboxOptions): TestSandbox {
	const sandbox = new TestSandbox();
	beforeAll(async () => await sandbox.start(options));
	afterAll(sandbox.stop);
	beforeEach(async () => await sandbox.control.clear());
	return sandbox;
}
