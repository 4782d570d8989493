import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	INodeCredentials,
	IRequestOptionsSimplified,
} from 'n8n-workflow';
import { SimpleCredentials } from '../../helpers/engine/credentials-helper.mts';
import { workflow } from '../engine.mts';
import { KEYS, ORIGINS, SENDER } from '../origins.mts';
import type { N8n } from './host.mts';

/** What a node stores of its credentials. */
export const CREDENTIALS: INodeCredentials = {
	maxunCloudApi: { id: 'cloud', name: 'Cloud' },
	maxunSelfHostedApi: { id: 'selfHosted', name: 'Self-hosted' },
};

/** Valid credentials for both kinds of server. Each request also contains its sender, such as an execution's ID. */
export class SimulatedCredentials extends SimpleCredentials {
	constructor(
		private readonly n8n: Pick<N8n, 'hasCredentials' | 'timezone'> & { apiKey?: string },
		private readonly sender: string,
	) {
		super();
	}

	override async getDecrypted(
		_additionalData: unknown,
		_reference: unknown,
		type: string,
	): Promise<ICredentialDataDecryptedObject> {
		if (!this.n8n.hasCredentials) throw new workflow.UserError('Credential does not exist');
		const { apiKey = KEYS.own, timezone } = this.n8n;
		return type === 'maxunCloudApi'
			? { apiKey, teamId: '', baseUrl: `${ORIGINS.cloud}/api/v1` }
			: { apiKey, baseUrl: ORIGINS.selfHosted, timezone };
	}

	override async authenticate(
		{ apiKey }: ICredentialDataDecryptedObject,
		_type: string,
		request: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		const options: IHttpRequestOptions = 'url' in request ? request : { ...request, url: '' };
		const headers = { ...options.headers, 'x-api-key': apiKey, [SENDER]: this.sender };
		return { ...options, headers };
	}
}
