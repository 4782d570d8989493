import type {
	IAuthenticateGeneric,
	IAuthenticateRuleResponseCode,
	IAuthenticateRuleResponseSuccessBody,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

const NO_API = 'There is no Maxun API at this Base URL: it must be the address of the backend';
const ELSEWHERE = 'This Base URL sends requests on to another address: enter that one';

/** What a server that does not say yes says of the credential. */
const REFUSALS: IAuthenticateRuleResponseCode[] = [
	...refusal([301, 302, 303, 307, 308], ELSEWHERE),
	...refusal([401, 403], 'The server does not accept this API key'),
	...refusal([404, 405], NO_API),
	...refusal([500, 503], 'The server cannot check the API key just now: its database may be down'),
];

/** A dashboard answers every address with its page; only the API sends robots. */
const FOREIGN_PAGE: IAuthenticateRuleResponseSuccessBody = {
	type: 'responseSuccessBody',
	properties: { key: 'robots', value: undefined, message: NO_API },
};

function refusal(statuses: number[], message: string): IAuthenticateRuleResponseCode[] {
	return statuses.map((value) => ({ type: 'responseCode', properties: { value, message } }));
}

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
		properties: { headers: { 'x-api-key': '={{ $credentials.apiKey.trim() }}' } },
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl.trim().replace(/(\\/api(\\/v1)?)?\\/*$/, "") }}/api',
			url: '/robots',
			// Some web servers give a dashboard's page only to those who do not ask for JSON.
			headers: { accept: 'application/json' },
			// The key goes to the Base URL and nowhere else.
			disableFollowRedirect: true,
		},
		// n8n reads both kinds of rules from one list, although the type of the list has room for one kind alone.
		rules: Object.assign([...REFUSALS], { [REFUSALS.length]: FOREIGN_PAGE }),
	};
}
