import { expect, test } from 'vitest';
import { finishRun } from '../../nodes/Maxun/runs/finish';
import { fakeApi } from './fakeApi.mts';

test('a robot that was made for a run is deleted also when n8n cannot keep what it captured', async () => {
	const sent: string[] = [];
	const api = fakeApi(
		async ({ method, path }) => {
			sent.push(`${method} ${path}`);
			return {};
		},
		{ image: async () => await Promise.reject(new Error('ENOSPC: no space left on device')) },
	);
	const awaited = {
		api,
		runId: 'run',
		robotId: 'made',
		temporary: 'robot' as const,
		since: Date.now(),
		settings: {
			waitFor: 1,
			onTimeout: 'error' as const,
			onFailure: 'error' as const,
			output: 'simplified' as const,
			downloadScreenshots: true,
		},
	};
	const ended = { id: 'run', status: 'success', screenshots: ['https://pics.example/a.png'] };
	await expect(finishRun(awaited, { ended })).rejects.toThrow('ENOSPC');
	expect(sent).toEqual(['DELETE /robots/made']);
});
