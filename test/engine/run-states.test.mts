import { beforeEach, describe, expect, it } from 'vitest';
import { newRecorded, newRun } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { useOperations } from './support/details.mts';

const {
	sandbox,
	call,
	succeed: run,
} = useOperations({ settings: { runSeconds: 0.05, runsStopAfterRows: 2 } });

let robotId = '';
beforeEach(async () => {
	robotId = await newRecorded(sandbox, { teamId: '' });
});

it.each(['rows', 'documents', 'simplified'])(
	'a run that stopped early returns its data with a hint: %s',
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

describe('a run that was not completed', () => {
	it.each(['running', 'failed', 'aborted'])(
		'is returned by Run: Get with a hint: %s',
		async (status) => {
			const { runId } = await newRun(sandbox, { teamId: '' });
			await sandbox.control.patchRun(runId, { status, error: 'The page is gone' });
			for (const output of ['rows', 'documents', 'simplified']) {
				const { json, hints } = await run('run', 'get', { runId: locator(runId), output });
				expect(json).toMatchObject([{ id: runId, status, error: 'The page is gone' }]);
				expect(hints).toEqual([
					expect.stringContaining(
						`${status === 'running' ? 'The run has the' : 'The run ended with'} status ${status}, so the output describes the run`,
					),
				]);
			}
		},
	);

	it('is also returned to a model', async () => {
		const { runId } = await newRun(sandbox, { teamId: '' });
		await sandbox.control.patchRun(runId, { status: 'failed', error: 'The page is gone' });
		const [item] = await call('run', 'get', { runId: locator(runId), output: 'rows' });
		expect(item).toMatchObject({ status: 'failed', error: 'The page is gone' });
	});
});
