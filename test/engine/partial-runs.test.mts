import { beforeEach, describe, expect, it } from 'vitest';
import { newRecorded } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { operationsOn } from './support/details.mts';

const sandbox = useSandbox({ settings: { runSeconds: 0.05, runsStopAfterRows: 2 } });
const { succeed: run } = operationsOn(sandbox);

let robotId = '';
beforeEach(async () => {
	robotId = await newRecorded(sandbox, { teamId: '' });
});

describe('a run that stopped early', () => {
	it.each(['rows', 'documents', 'simplified'])(
		'returns its data with a hint: %s',
		async (output) => {
			const { json, hints } = await run('run', 'runAndWait', { robotId: locator(robotId), output });
			expect(json).toHaveLength(output === 'simplified' ? 1 : 2);
			if (output === 'simplified') expect(json[0]).toMatchObject({ isPartial: true });
			expect(hints).toEqual([
				expect.stringMatching(
					/^The run stopped early, so its data is incomplete: robot 'Robot \d+'$/,
				),
			]);
		},
	);

	it("counts as partial in its robot's statistics", async () => {
		await run('run', 'runAndWait', { robotId: locator(robotId) });
		await sandbox.control.runs({ robotId });
		const { json } = await run('robot', 'getStatistics', { robotId: locator(robotId) });
		expect(json).toMatchObject([{ runs: 2, succeeded: 2, partial: 1 }]);
	});
});
