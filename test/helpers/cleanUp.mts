import { afterEach, vi } from 'vitest';

// What a test leaves behind, even one that fails, must not reach the next one.
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});
