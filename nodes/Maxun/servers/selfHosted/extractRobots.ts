import { extractRobots as sdkRobots } from '../extract/robots';
import type { ServerConnection, ServerParts } from '../types';
import { checkMonitoringSupport } from './monitoring';

/** Robots made of selectors. Earlier servers accept the setting to compare runs, and ignore it. */
export function extractRobots(api: ServerConnection): NonNullable<ServerParts['extractRobots']> {
	const robots = sdkRobots(api);
	return {
		...robots,
		async create(name, definition, options) {
			if (options?.compareRuns) await checkMonitoringSupport(api);
			return await robots.create(name, definition, options);
		},
	};
}
