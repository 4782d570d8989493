import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	INodeCredentialsDetails,
	IRequestOptionsSimplified,
} from 'n8n-workflow';
import { SimpleCredentials } from '../../helpers/engine/credentials-helper.mts';
import { workflow } from '../engine.mts';
import { ORIGINS, SENDER } from '../origins.mts';

/** The fields of an n8n instance's credentials, by ID. */
export type Credentials = Map<string, ICredentialDataDecryptedObject>;

export const cloudFields = (apiKey: string, teamId = ''): ICredentialDataDecryptedObject => ({
	apiKey,
	teamId,
	baseUrl: `${ORIGINS.cloud}/api/v1`,
});

/**
 * An n8n instance's credentials (CredentialsHelper). Each request also contains its sender, such as an execution's ID.
 */
export class SimulatedCredentials extends SimpleCredentials {
	constructor(
		private readonly credentials: Credentials,
		private readonly sender: string,
	) {
		super();
	}

	override async getDecrypted(
		_additionalData: unknown,
		{ id }: INodeCredentialsDetails,
	): Promise<ICredentialDataDecryptedObject> {
		const found = this.credentials.get(String(id));
		if (!found) throw new workflow.UserError('Credential does not exist');
		return found;
	}

	override async authenticate(
		{ apiKey, teamId }: ICredentialDataDecryptedObject,
		_type: string,
		request: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		const options: IHttpRequestOptions = 'url' in request ? request : { ...request, url: '' };
		const team = teamId ? { 'x-team-id': String(teamId) } : {};
		const own = { 'x-api-key': apiKey, [SENDER]: this.sender };
		return { ...options, headers: { ...team, ...options.headers, ...own } };
	}
}
