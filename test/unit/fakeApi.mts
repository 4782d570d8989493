import { randomUUID } from 'node:crypto';
import { sleep } from 'n8n-workflow';
import { runRequests } from '../../nodes/Maxun/api/runs';
import type { ApiRequest } from '../../nodes/Maxun/api/request';
import { inTurn } from '../../nodes/Maxun/core/concurrency';
import type { Api } from '../../nodes/Maxun/core/operation';

/** What a service of the test's own makes of a request: the payload, or a fault that it throws. */
export type Service = (request: ApiRequest) => Promise<unknown>;

const unexpected = async (): Promise<never> => {
	throw new Error('The test does not expect this');
};

/** The port of an operation, with the test in place of the service; hints are kept in `hints`. */
export function fakeApi(service: Service, changes: Partial<Api> = {}): Api & { hints: string[] } {
	const hints: string[] = [];
	const server = `server ${randomUUID()}`;
	const api: Api = {
		baseUrl: 'https://maxun.example/api',
		scope: '',
		timezone: 'UTC',
		concurrency: 5,
		runs: runRequests.selfHosted,
		call: async (request, answer) => answer.parse(await service(request)),
		getMany: unexpected,
		image: unexpected,
		document: unexpected,
		hint: (message) => hints.push(message),
		sleep: async (milliseconds) => await sleep(Math.max(milliseconds, 0)),
		throwIfCancelled: () => undefined,
		inTurn: async (work) => await inTurn(server, work),
		afterwards: () => api,
		...changes,
	};
	return Object.assign(api, { hints });
}
