import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

export class MaxunCloudApi implements ICredentialType {
	name = 'maxunCloudApi';

	displayName = 'Maxun Cloud API';

	icon: Icon = { light: 'file:../icons/maxun.svg', dark: 'file:../icons/maxun.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-maxun-robots/n8n-nodes-maxun-robots#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'The API key from the Maxun dashboard, under API Key',
		},
		{
			displayName: 'Team ID',
			name: 'teamId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 3f6c2b1e-8d47-4a52-9c0e-5b7a1d2e4f60',
			description:
				'The ID from the Teams page of the Maxun dashboard. Leave empty to use your personal robots.',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: 'https://app.maxun.dev/api/v1',
			description: 'The URL of the Maxun API. Keep this value, unless Maxun gives you another URL.',
		},
	];

	// This function omits the team header when no team is set. A node with another team overrides the header.
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => ({
		...request,
		headers: {
			...(credentials.teamId ? { 'x-team-id': String(credentials.teamId).trim() } : {}),
			...request.headers,
			Authorization: `Bearer ${String(credentials.apiKey).trim()}`,
		},
	});
}
