import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	INodeCredentials,
	IRequestOptionsSimplified,
} from 'n8n-workflow';
import { SimulatedCredentials } from '../../n8n/credentials.mts';
import { ORIGINS } from '../../origins.mts';
import type { Account } from '../maxun/account.mts';

/** Where a second self-hosted server is. */
export const OTHER_SERVER = 'http://maxun.other:8080';

/** What a node stores of the credentials for an account. */
export const credentialsOf = ({ own: { name } }: Account): INodeCredentials => ({
	maxunCloudApi: { id: name, name },
	maxunSelfHostedApi: { id: name, name },
});

/** The credentials of one n8n instance: one for each account. */
export class AccountCredentials extends SimulatedCredentials {
	constructor(
		/** The credentials' fields, by account. */
		private readonly fields: Map<string, ICredentialDataDecryptedObject>,
		sender: string,
	) {
		super({ hasCredentials: true, timezone: '' }, sender);
	}

	override async getDecrypted(
		_additionalData: unknown,
		reference: unknown,
		_type: string,
	): Promise<ICredentialDataDecryptedObject> {
		const id =
			typeof reference === 'object' && reference !== null && 'id' in reference ? reference.id : '';
		const found = this.fields.get(String(id));
		if (!found) throw new Error('Credential does not exist');
		return found;
	}

	override async authenticate(
		credentials: ICredentialDataDecryptedObject,
		type: string,
		request: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		const options = await super.authenticate(credentials, type, request);
		const { teamId } = credentials;
		const team = teamId ? { 'x-team-id': String(teamId) } : {};
		return { ...options, headers: { ...team, ...options.headers } };
	}
}

/** @param knowsTimeZone whether the user has entered the time zone of a self-hosted server */
export function fieldsOf(account: Account, knowsTimeZone: boolean): ICredentialDataDecryptedObject {
	const { kind, apiKey, teamId, name, timezone = 'UTC' } = account.own;
	if (kind === 'cloud') return { apiKey, teamId, baseUrl: `${ORIGINS.cloud}/api/v1` };
	const baseUrl = name === 'main' ? ORIGINS.selfHosted : OTHER_SERVER;
	return { apiKey, baseUrl, timezone: knowsTimeZone ? timezone : 'UTC' };
}
