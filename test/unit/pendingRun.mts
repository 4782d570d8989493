import type { PendingRun, RunContext } from '../../nodes/Maxun/runs/types';

/** A run that started a minute ago and may take an hour. */
export const pendingRun = (
	maxun: RunContext['maxun'],
	changes: Partial<PendingRun> = {},
): PendingRun => ({
	context: {
		maxun,
		concurrency: 5,
		isLastAttempt: true,
		accountKey: 'account',
		usual: new Map(),
		lists: new Map(),
		marks: new Set(),
		toBinary: async () => await Promise.reject(new Error('The test does not expect this')),
		hint: () => undefined,
		onCreated: () => undefined,
		onNamed: () => undefined,
		onLeftover: () => undefined,
	},
	runId: 'run',
	robotId: 'robot',
	startedAt: Date.now() - 60_000,
	timeoutAt: Date.now() + 59 * 60_000,
	settings: {
		timeoutMinutes: 60,
		onTimeout: 'error',
		onFailure: 'error',
		output: 'simplified',
		downloadScreenshots: false,
		delayBeforeStart: 0,
	},
	...changes,
});
