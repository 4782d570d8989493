import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';
import { newRecorded } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { useOperations } from './support/details.mts';
import { FORMS } from './support/self-hosted.mts';

const { sandbox, run } = useOperations();

const HOUR = 60 * 60_000;
const SERVERS = ['cloud', ...FORMS] as const;

let robotId = '';
beforeEach(async () => {
	robotId = await newRecorded(sandbox, { teamId: '' });
});

/** Adds runs that started a few hours ago and took a few seconds. @returns their IDs */
async function ran(status: 'success' | 'failed' | 'aborted', ...runs: number[][]) {
	const added: string[] = [];
	for (const [hoursAgo = 0, seconds = 0] of runs) {
		const start = Date.now() - hoursAgo * HOUR;
		const run: IDataObject = {
			startedAt: new Date(start).toISOString(),
			finishedAt: new Date(start + seconds * 1000).toISOString(),
			durationMs: seconds * 1000,
		};
		added.push(...(await sandbox.control.runs({ robotId, status, run })));
	}
	return added;
}

describe.each(SERVERS)("a robot's statistics (%s)", (server) => {
	beforeEach(async () => {
		if (server !== 'cloud') await sandbox.control.settings({ selfHostedForm: server });
	});

	const statistics = async (parameters: INodeParameters = {}) => {
		const isCloud = server === 'cloud';
		const own = { ...(!isCloud && { server: 'selfHosted' }), robotId: locator(robotId) };
		const credentials = isCloud
			? sandbox.credentials()
			: sandbox.serverCredentials({ timezone: 'UTC' });
		const given = { ...own, period: 'week', ...parameters };
		const { json, error } = await run('robot', 'getStatistics', given, { credentials });
		return { json: json[0], error };
	};

	it("count the period's runs by their status", async () => {
		const [, , last] = await ran('success', [30, 10], [20, 40], [10, 20]);
		await ran('failed', [25, 5]);
		await ran('aborted', [26, 5]);
		await ran('success', [8 * 24, 100]);
		const { json } = await statistics();
		expect(json).toMatchObject({
			robotId,
			runs: 5,
			succeeded: 3,
			failed: 1,
			aborted: 1,
			active: 0,
			successRate: 0.6,
			medianDurationMs: 20_000,
			lastSuccessRunId: last,
		});
		expect((await statistics({ period: 'day' })).json).toMatchObject({ runs: 2 });
		expect((await statistics({ period: 'month' })).json).toMatchObject({
			runs: 6,
			medianDurationMs: 30_000,
		});
	});

	it('show the last completed run, even if it is older than the period', async () => {
		const [old] = await ran('success', [24 * 20, 10]);
		await ran('failed', [2, 10]);
		expect((await statistics()).json).toMatchObject({
			runs: 1,
			successRate: 0,
			medianDurationMs: null,
			lastSuccessRunId: old,
			lastSuccessRows: expect.any(Number),
		});
	});

	it('show that a robot has never run', async () => {
		expect((await statistics()).json).toMatchObject({
			runs: 0,
			successRate: null,
			lastSuccessAt: null,
			lastSuccessRunId: null,
			lastSuccessRows: null,
		});
	});

	it('cover a custom period', async () => {
		await ran('success', [50, 10], [40, 10], [30, 10]);
		const at = (hoursAgo: number) => new Date(Date.now() - hoursAgo * HOUR).toISOString();
		const parameters = { period: 'custom', since: at(45), until: at(35) };
		expect((await statistics(parameters)).json).toMatchObject({ runs: 1 });
		const { error } = await statistics({ ...parameters, until: at(50) });
		expect(error?.message).toBe("'Since' is later than 'Until'");
	});
});
