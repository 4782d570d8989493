import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const require = createRequire(import.meta.url);

/**
 * The simulation takes most processor time, so it fills the pauses in which all other tests wait. The large files of a project take
 * longest, so they come first, and no file is alone at the end.
 */
class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const isSimulation = ({ project }: TestSpecification) => Number(project.name === 'simulation');
		const size = ({ moduleId }: TestSpecification) => statSync(moduleId).size;
		return [...files].sort(
			(a, b) =>
				isSimulation(b) - isSimulation(a) ||
				a.project.name.localeCompare(b.project.name) ||
				size(b) - size(a),
		);
	}
}

/** Pure functions take less time than it takes to load them, so one worker is faster than several. */
const ONE_WORKER = { isolate: false, maxWorkers: 1, sequence: { groupOrder: 1 } };

export default defineConfig({
	// One copy of n8n-workflow for the node's code and for n8n-core, so that `instanceof` holds across them.
	resolve: { alias: { 'n8n-workflow': require.resolve('n8n-workflow') } },
	test: {
		// Some wait, for timers and responses, so that more run side by side than there are cores.
		maxWorkers: 4,
		// On a busy machine, everything is slow.
		testTimeout: 300_000,
		hookTimeout: 300_000,
		expect: { poll: { timeout: 180_000 } },
		setupFiles: ['test/helpers/cleanUp.mts'],
		sequence: { sequencer: LongestFirst },
		projects: [
			{
				extends: true,
				test: {
					name: 'unit',
					include: ['test/unit/**/*.test.mts'],
					exclude: ['test/unit/growth.test.mts'],
					...ONE_WORKER,
				},
			},
			{
				extends: true,
				// It measures time, so it only runs in CI.
				test: { name: 'growth', include: ['test/unit/growth.test.mts'], ...ONE_WORKER },
			},
			{
				extends: true,
				// zod 3.25 contains zod 4, which a newer n8n may give to the nodes. Older engines have an older zod.
				resolve: { alias: [{ find: /^zod$/, replacement: 'zod/v4' }] },
				test: {
					name: 'unit with zod 4',
					// The files that parse with zod, and one that loads all schemas.
					include: [
						'test/unit/{entities,errors,extract*,fault,modelMessage,olderVersions}.test.mts',
						'test/unit/{parameters,poll,startRun,subtitle}.test.mts',
					],
					...ONE_WORKER,
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
				},
			},
			{
				extends: true,
				test: {
					name: 'durable polling',
					include: ['test/engine/trigger-{polls,webhooks}.test.mts'],
					globalSetup: ['test/helpers/engine/folder.mts'],
					setupFiles: ['test/helpers/engine/setup.mts'],
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
					setupFiles: ['test/helpers/engine/setup.mts'],
					isolate: false,
				},
			},
		],
	},
});
