import { afterEach, vi } from 'vitest';

// The next test must not see what a test has left behind, even if it failed.
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});
