import type { ICredentialDataDecryptedObject, INodeCredentials } from 'n8n-workflow';
import { cloudFields } from '../n8n/credentials.mts';
import { ORIGINS } from '../origins.mts';
import type { Account } from './maxun/account.mts';

/** What a node stores about an account's credentials. */
export const credentialsOf = ({ own: { name } }: Account): INodeCredentials => ({
	maxunCloudApi: { id: name, name },
	maxunSelfHostedApi: { id: name, name },
});

/** @param knowsTimeZone whether the user has entered a self-hosted server's time zone */
export function fieldsOf(account: Account, knowsTimeZone: boolean): ICredentialDataDecryptedObject {
	const { kind, apiKey, teamId, name, timezone = 'UTC' } = account.own;
	if (kind === 'cloud') return cloudFields(apiKey, teamId);
	const baseUrl = name === 'main' ? ORIGINS.selfHosted : ORIGINS.otherSelfHosted;
	return { apiKey, baseUrl, timezone: knowsTimeZone ? timezone : 'UTC' };
}
