import type {
	IAuthenticateGeneric,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

export class MaxunSelfHostedApi implements ICredentialType {
	name = 'maxunSelfHostedApi';

	displayName = 'Maxun Self-Hosted API';

	icon: Icon = { light: 'file:../icons/maxun.svg', dark: 'file:../icons/maxun.dark.svg' };

	documentationUrl =
		'https://github.com/n8n-nodes-maxun-robots/n8n-nodes-maxun-robots#connect-your-own-server';

	properties: INodeProperties[] = [
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'Found in the dashboard of your server under API Key',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: 'http://localhost:8080',
			placeholder: 'e.g. https://maxun.example.com',
			description:
				'Address of the backend of your Maxun server as this n8n reaches it, not that of its dashboard',
		},
		{
			displayName: 'Server Time Zone',
			name: 'timezone',
			type: 'string',
			default: '',
			placeholder: 'e.g. Europe/Berlin',
			description:
				'Your server writes dates without a time zone. With its IANA time zone here, runs have exact times and can be filtered by them; a server in Docker most often has UTC.',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: { headers: { 'x-api-key': '={{ $credentials.apiKey }}' } },
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl.trim().replace(/(\\/api(\\/v1)?)?\\/*$/, "") }}/api',
			url: '/robots',
			// The dashboard's web server gives its page only to those who do not ask for JSON.
			headers: { accept: 'application/json' },
		},
		rules: [
			{
				type: 'responseCode',
				properties: { value: 401, message: 'The server received no API key' },
			},
			{
				type: 'responseCode',
				properties: { value: 403, message: 'The server does not accept this API key' },
			},
			{
				type: 'responseCode',
				properties: {
					value: 404,
					message: 'There is no Maxun API at this Base URL: it must be the address of the backend',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 503,
					message: 'The server cannot check the API key just now: its database may be down',
				},
			},
		],
	};
}
