import type {
	IAuthenticate,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

export class MaxunApi implements ICredentialType {
	name = 'maxunApi';

	displayName = 'Maxun API';

	icon: Icon = { light: 'file:../icons/maxun.svg', dark: 'file:../icons/maxun.dark.svg' };

	documentationUrl =
		'https://github.com/n8n-nodes-maxun-robots/n8n-nodes-maxun-robots#connect-your-maxun-account';

	properties: INodeProperties[] = [
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'Found in the Maxun dashboard under API Key',
		},
		{
			displayName: 'Team ID',
			name: 'teamId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 3f6c2b1e-8d47-4a52-9c0e-5b7a1d2e4f60',
			description:
				'Work with the robots of this team, found on the Teams page of the Maxun dashboard. Leave empty for your personal robots.',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: 'https://app.maxun.dev/api/v1',
			description: 'Address of version 1 of the Maxun API, change it only for a server of your own',
		},
	];

	// A function, because the team header may only be there when a team is set; a node that acts for another team sets its own.
	authenticate: IAuthenticate = async (credentials, request) => ({
		...request,
		headers: {
			...(credentials.teamId ? { 'x-team-id': String(credentials.teamId).trim() } : {}),
			...request.headers,
			Authorization: `Bearer ${String(credentials.apiKey).trim()}`,
		},
	});

	// Usage is refused for a wrong key and for a team that is not one's own.
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl.trim().replace(/\\/+$/, "") }}',
			url: '/usage',
			disableFollowRedirect: true, // the key goes to the Base URL and nowhere else
		},
		// A page of a website answers too, but not with what only the API sends.
		rules: [
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'success',
					value: undefined,
					message: 'The Base URL is not the address of the Maxun API, which ends in /api/v1',
				},
			},
		],
	};
}
