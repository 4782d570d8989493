import { describe, expect, it } from 'vitest';
import { resultOf } from '../../nodes/Maxun/runs/runResult';
import type { PendingRun } from '../../nodes/Maxun/runs/types';
import { fakeServer } from './fakeServer.mts';

describe('the robot that was created for a run', () => {
	it('is deleted even if n8n cannot store what the run captured', async () => {
		const sent: string[] = [];
		const server = await fakeServer('cloud', async ({ method, path }) => {
			sent.push(`${method} ${path}`);
			return { body: { success: true, data: {} } };
		});
		const run: PendingRun = {
			context: {
				maxun: { ...server, download: async () => Buffer.from('a picture') },
				concurrency: 5,
				toBinary: async () => await Promise.reject(new Error('ENOSPC: no space left on device')),
				hint: () => undefined,
				remains: () => undefined,
				noData: () => undefined,
				leaves: () => undefined,
				copies: { keep: () => false, take: () => undefined },
				owner: { nameOf: (what) => what, deleteAbandoned: async () => {} },
			},
			itemIndex: 0,
			runId: 'run',
			robotId: 'made',
			temporary: 'robot',
			since: Date.now(),
			settings: {
				waitFor: 1,
				onTimeout: 'error',
				onFailure: 'error',
				output: 'simplified',
				downloadScreenshots: true,
			},
		};
		const ended = { id: 'run', status: 'success', screenshots: ['https://pics.example/a.png'] };
		await expect(resultOf(run, { ended })).rejects.toThrow('ENOSPC');
		expect(sent).toEqual(['DELETE /robots/made']);
	});
});
