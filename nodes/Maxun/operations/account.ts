import type { IDataObject } from 'n8n-workflow';
import type { ServerParts } from '../servers/types';
import { called, type OperationInfo, reading, type Resource } from './operation';

interface Info extends Omit<OperationInfo<never>, 'properties'> {
	needs: (parts: ServerParts) => (() => Promise<IDataObject | IDataObject[]>) | undefined;
}

const ofAccount = (info: Info) =>
	reading({ ...info, properties: [], run: async (read) => await read() });

const get = ofAccount({
	...called('get', 'Get', 'account'),
	description: 'Retrieve the account that the API key belongs to, with its plan, credits and teams',
	needs: ({ account }) => account.get,
});

const getQueue = ofAccount({
	...called('getQueue', 'Get Queue'),
	description: 'Retrieve the number of running and queued runs',
	needs: ({ account }) => account.getQueue,
});

const getRateLimits = ofAccount({
	...called('getRateLimits', 'Get Rate Limits'),
	description: 'Retrieve how many requests per minute each category allows, and how many are left',
	needs: ({ account }) => account.getRateLimits,
});

const getUsage = ofAccount({
	...called('getUsage', 'Get Usage'),
	description: 'Retrieve the remaining credits and the number of robots and runs',
	builderHint: 'Use this to check how many credits are left.',
	needs: ({ account }) => account.getUsage,
});

export const account: Resource = {
	name: 'Account',
	value: 'account',
	description: 'See your account, its credits and its queue',
	operations: [get, getUsage, getQueue, getRateLimits],
};
