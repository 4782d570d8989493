import { z } from 'zod';
import { MaxunCloudApi } from '../../../../credentials/MaxunCloudApi.credentials';
import type { Routes } from '../../http/context';
import { AnyEntry, AnyObject, id, listOf } from '../entities';
import { explain, lacksRoute } from '../explain';
import { extractRobots } from '../sdk/robots';
import { sdkPayloadOf } from '../sdk/translate';
import type { ServerConnection, ServerParts, ServerType } from '../types';
import { payloadOf } from './response';
import { agents, robots } from './robots';
import { runs } from './runs';
import { monitoring, schedules, webhooks } from './settings';

const CLOUD = { exampleBaseUrl: 'https://app.maxun.dev/api/v1', hasTeams: true };

export const cloud: ServerType = {
	name: 'Maxun Cloud',
	description: 'The service at app.maxun.dev',
	protocol: {
		...CLOUD,
		credential: new MaxunCloudApi(),
		rootOf: (baseUrl) => baseUrl,
		// Maxun rejects this request if the key is wrong or the team belongs to another user.
		probe: { path: '/usage', field: 'success' },
		payloadOf,
		explain,
	},
	partsOn: (connection) => ({
		account: account(connection),
		agents: agents(connection),
		extractRobots: extractRobots(connection.through(sdkRoutes)),
		monitoring: monitoring(connection),
		robots: robots(connection),
		runs: runs(connection),
		schedules: schedules(connection),
		webhooks: webhooks(connection),
	}),
	features: new Set(['alerts', 'changesFilter', 'credits', 'deepExtraction', 'inputs', 'teams']),
};

const Team = z
	.object({
		id,
		name: z.string().catch(''),
		role: z.string().optional(),
	})
	.passthrough();

const Profile = AnyEntry.pipe(AnyObject.extend({ teams: z.array(Team).catch([]) }));

const account = (api: ServerConnection): ServerParts['account'] => ({
	get: async () => await api.get('/me', Profile),
	getQueue: async () => await api.get('/queue', AnyEntry),
	getRateLimits: async () => await api.get('/usage/rate-limits', listOf(AnyEntry)),
	getUsage: async () => await api.get('/usage', AnyEntry),
});

/** The routes of Maxun's SDK. Their responses have a self-hosted server's format. */
const sdkRoutes: Routes = {
	...CLOUD,
	rootOf: (baseUrl) => baseUrl.replace(/\/v1$/, ''),
	payloadOf: sdkPayloadOf,
	headersWith: (apiKey) => ({ 'x-api-key': apiKey }),
	explain(response, request, api) {
		// The route that creates robots doesn't contain an ID that could be wrong.
		const isCreation = request.method === 'POST' && request.path === '/sdk/robots';
		if (response.status !== 404 || !(isCreation || lacksRoute(response))) {
			return explain(response, request, api);
		}
		return {
			message: "Maxun Cloud does not support robots from selectors at this 'Base URL'",
			description:
				'Describe the data by example in Web: Extract Rows, or build the robot in the Maxun dashboard',
			missingRoute: true,
		};
	},
};
