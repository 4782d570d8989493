import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const require = createRequire(import.meta.url);

/** The simulation takes most processor time, so it fills the pauses in which all other tests wait. */
class SimulationFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const isSimulation = (file: TestSpecification) => Number(file.project.name === 'simulation');
		return (await super.sort(files)).sort((a, b) => isSimulation(b) - isSimulation(a));
	}
}

export default defineConfig({
	// One copy of n8n-workflow for the node's code and for n8n-core, so that `instanceof` holds across them.
	resolve: { alias: { 'n8n-workflow': require.resolve('n8n-workflow') } },
	test: {
		// Most of them wait, for timers and answers, so that more run side by side than there are cores.
		maxWorkers: 8,
		// On a busy machine, everything is slow.
		testTimeout: 60_000,
		hookTimeout: 60_000,
		sequence: { sequencer: SimulationFirst },
		projects: [
			{
				extends: true,
				test: { name: 'unit', include: ['test/unit/**/*.test.mts'], isolate: false },
			},
			{
				extends: true,
				// zod 3.25 contains zod 4, which a newer n8n may give to the nodes. Older engines have an older zod.
				resolve: { alias: [{ find: /^zod$/, replacement: 'zod/v4' }] },
				test: {
					name: 'zod 4',
					// The files that parse with zod, and one that loads all schemas.
					include: [
						'test/unit/{entities,errors,extract*,fault,modelMessage,olderVersions}.test.mts',
						'test/unit/{parameters,poll,startRun,subtitle}.test.mts',
					],
					isolate: false,
				},
			},
			{
				extends: true,
				test: {
					name: 'sandbox',
					include: ['test/sandbox/**/*.test.mts'],
					isolate: false,
				},
			},
			{
				extends: true,
				test: {
					name: 'simulation',
					include: ['test/simulation/**/*.test.mts'],
					testTimeout: 600_000,
				},
			},
			{
				extends: true,
				test: {
					name: 'package',
					include: ['test/package/**/*.test.mts'],
					testTimeout: 120_000,
					hookTimeout: 120_000,
				},
			},
			{
				extends: true,
				test: {
					name: 'durable polling',
					include: ['test/engine/trigger-{polls,webhooks}.test.mts'],
					globalSetup: ['test/helpers/engine/folder.mts'],
					env: { TEST_DURABLE_CURSORS: 'true' },
					isolate: false,
				},
			},
			{
				extends: true,
				test: {
					name: 'engine',
					include: ['test/engine/**/*.test.mts'],
					globalSetup: ['test/helpers/engine/folder.mts'],
					// n8n's engine takes seconds to load; the files of one worker share it.
					isolate: false,
				},
			},
		],
	},
});
