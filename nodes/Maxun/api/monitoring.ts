import { path, type ApiRequest } from './request';

/** How the runs of a robot are compared. */
export const getMonitoring = (robotId: string): ApiRequest => ({
	method: 'GET',
	path: path`/robots/${robotId}/monitoring`,
});
