import { defineConfig } from 'vitest/config';

// One after the other: each file has an n8n of its own, which is enough for a small machine.
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
