import type {
	IAuthenticate,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
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
			description: 'The URL of the Maxun API. Keep this value, unless Maxun gives you another one.',
		},
	];

	// A function, to omit the team header when no team is set. A node with another team overrides the header.
	authenticate: IAuthenticate = async (credentials, request) => ({
		...request,
		headers: {
			...(credentials.teamId ? { 'x-team-id': String(credentials.teamId).trim() } : {}),
			...request.headers,
			Authorization: `Bearer ${String(credentials.apiKey).trim()}`,
		},
	});

	// Maxun rejects this request if the key is wrong or the team belongs to another user.
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl.trim().replace(/\\/+$/, "") }}',
			url: '/usage',
			disableFollowRedirect: true, // Sends the key only to the Base URL.
		},
		// A web page also returns status 200, but only the API returns this field.
		rules: [
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'success',
					value: undefined,
					message: "'Base URL' is not the URL of the Maxun API, which ends in /api/v1",
				},
			},
		],
	};
}
