import { defineConfig } from 'vitest/config';

// The files run one after another. Each starts its own n8n instance, and a small machine can't run several.
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
