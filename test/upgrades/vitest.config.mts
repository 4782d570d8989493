import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';

const require = createRequire(import.meta.url);

/** Only for record.mts. */
export default defineConfig({
	resolve: { alias: { 'n8n-workflow': require.resolve('n8n-workflow') } },
	test: {
		include: ['test/upgrades/record.mts'],
		globalSetup: ['test/helpers/engine/folder.mts'],
		testTimeout: 300_000,
		reporters: ['verbose'],
	},
});
