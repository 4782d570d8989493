import { listOf, Run } from './entities';
import { path, type ApiRequest } from './request';

/** The run with its data. */
export const getRun = (runId: string): ApiRequest => ({
	method: 'GET',
	path: path`/runs/${runId}`,
});

/** The queued and running runs, without data. */
export const getActiveRuns: ApiRequest = { method: 'GET', path: '/runs/active' };

export const Runs = listOf(Run);

/** Statuses that a run can have and can be searched for. */
export const RUN_STATUSES = ['aborted', 'failed', 'queued', 'running', 'success'] as const;

/** What can have started a run. */
export const RUN_SOURCES = ['api', 'cli', 'dashboard', 'mcp', 'schedule', 'sdk'] as const;
