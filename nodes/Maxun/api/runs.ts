import type { IDataObject } from 'n8n-workflow';
import { listOf, Run } from './entities';
import { path, type ApiRequest } from './request';
import { getRunOf } from './selfHosted/requests';
import type { Dialect } from './service';

/** The run with its data. */
export const getRun = (runId: string): ApiRequest => ({
	method: 'GET',
	path: path`/runs/${runId}`,
});

/** The queued and running runs, without data. */
export const getActiveRuns: ApiRequest = { method: 'GET', path: '/runs/active' };

/** Runs without data, newest first: of one robot, or of all of them. */
export const listRuns = (robotId: string | undefined, query: IDataObject): ApiRequest => ({
	method: 'GET',
	path: robotId === undefined ? '/runs' : path`/robots/${robotId}/runs`,
	query,
});

/** How a run differs from the one before. */
export const getDiff = (runId: string): ApiRequest => ({
	method: 'GET',
	path: path`/runs/${runId}/diff`,
});

export const Runs = listOf(Run);

/** Stops a queued or running run. */
export const cancelRun = (runId: string): ApiRequest => ({
	method: 'POST',
	path: path`/runs/${runId}/cancel`,
});

/** Starts a run of a robot or an agent. */
export const startRun = (of: 'robots' | 'agents', id: string, body: IDataObject): ApiRequest => ({
	method: 'POST',
	path: of === 'agents' ? path`/agents/${id}/runs` : path`/robots/${id}/runs`,
	body,
});

/** How an API is asked for runs that are waited for. */
export interface RunRequests {
	/** The run with its data. */
	read(run: { runId: string; robotId: string }): ApiRequest;
	/** All runs that are queued or running, without data, where the API has a list of them. */
	active?: ApiRequest;
}

export const runRequests: Record<Dialect, RunRequests> = {
	cloud: { read: ({ runId }) => getRun(runId), active: getActiveRuns },
	selfHosted: { read: ({ robotId, runId }) => getRunOf(robotId, runId) },
};
