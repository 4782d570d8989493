import { defineConfig } from 'vitest/config';

// One file at a time: each has its own n8n, which is enough for a small machine.
export default defineConfig({
	test: {
		root: import.meta.dirname,
		include: ['*.test.mts'],
		fileParallelism: false,
		testTimeout: 240_000,
		hookTimeout: 300_000,
		reporters: ['verbose'],
	},
});
