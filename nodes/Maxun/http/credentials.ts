import { IANAZone } from 'luxon';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { Account, LanguageModel, Protocol } from './context';
import { MaxunFault } from './fault';
import { withoutSlash } from './links';

/** The values of a credential. @throws MaxunFault if they are invalid */
export function accountOf(
	data: ICredentialDataDecryptedObject,
	{ credential, rootOf, exampleBaseUrl }: Protocol,
): Account {
	const { baseUrl, apiKey, teamId, timezone } = data;
	const url = withoutSlash(String(baseUrl).trim());
	if (url.includes('@')) {
		// The URL is visible in the editor and in messages.
		throw new MaxunFault(
			"'Base URL' in the credential contains a user name or password",
			`Enter the URL without them, for example ${exampleBaseUrl}. Maxun only needs the API key`,
		);
	}
	if (!/^https?:\/\//i.test(url)) {
		throw new MaxunFault(
			"'Base URL' in the credential is not a valid URL",
			`Enter a URL that starts with http:// or https://, for example ${exampleBaseUrl}. Current value: '${url}'`,
		);
	}
	const zone = trim(timezone);
	if (zone !== '' && !IANAZone.isValidZone(zone)) {
		throw new MaxunFault(
			`'Server Time Zone' in the credential is unknown: '${zone}'`,
			"Enter an IANA name, for example Europe/Berlin or UTC. Leave it empty if you don't know it",
		);
	}
	return {
		credential: { id: '', name: '', type: credential.name, data },
		baseUrl: rootOf(url),
		apiKey: String(apiKey).trim(),
		teamId: String(teamId ?? '').trim() || undefined,
		timezone: zone || undefined,
		languageModel: languageModelOf(data),
	};
}

function languageModelOf(credential: ICredentialDataDecryptedObject): LanguageModel | undefined {
	const { llmProvider, llmModel, llmApiKey, llmBaseUrl } = credential;
	const provider = trim(llmProvider);
	const [model, apiKey, baseUrl] = [llmModel, llmApiKey, llmBaseUrl].map(trim);
	return provider ? { provider, model, apiKey, baseUrl } : undefined;
}

const trim = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
