import { path, type ApiRequest } from '../request';

/** All runs of a robot, with their data, in no order. */
export const getRunsOf = (robotId: string): ApiRequest => ({
	method: 'GET',
	path: path`/robots/${robotId}/runs`,
});

export const getRunOf = (robotId: string, runId: string): ApiRequest => ({
	method: 'GET',
	path: path`/robots/${robotId}/runs/${runId}`,
});

/** Starts a run. The server may answer at once, or when the run has ended. */
export const startRun = (robotId: string, timeout: number): ApiRequest => ({
	method: 'POST',
	path: path`/robots/${robotId}/runs`,
	timeout,
});

export const duplicateRobot = (robotId: string, targetUrl: string): ApiRequest => ({
	method: 'POST',
	path: path`/robots/${robotId}/duplicate`,
	body: { targetUrl },
});
