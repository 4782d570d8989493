import type { Protocol } from '../../http/protocol';
import { EXAMPLE_BASE_URL, explain } from './explain';
import { payloadOf } from '../sdk/response';

export const selfHostedProtocol: Protocol = {
	credentialType: 'maxunSelfHostedApi',
	rootOf: (baseUrl) => `${baseUrl.replace(/\/api(\/v1)?$/, '')}/api`,
	exampleBaseUrl: EXAMPLE_BASE_URL,
	probe: { path: '/robots', field: 'robots' },
	payloadOf,
	explain,
};
