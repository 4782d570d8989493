import type {
	IAuthenticateGeneric,
	IAuthenticateRuleResponseCode,
	IAuthenticateRuleResponseSuccessBody,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

const NO_API = 'There is no Maxun API at this Base URL. Enter the URL of the backend';
const REDIRECTS = 'This Base URL redirects to another URL. Enter the other URL';

/** What each refusal means for the credential. */
const REFUSALS: IAuthenticateRuleResponseCode[] = [
	...refusal([301, 302, 303, 307, 308], REDIRECTS),
	...refusal([401, 403], 'The server rejected this API key'),
	...refusal([404, 405], NO_API),
	...refusal([500, 503], 'The server cannot check the API key right now. Its database may be down'),
];

/** A dashboard returns its page for every URL. Only the API returns robots. */
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
		'https://github.com/n8n-nodes-maxun-robots/n8n-nodes-maxun-robots#self-hosted-servers';

	properties: INodeProperties[] = [
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: "The API key from your server's dashboard, under API Key",
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: 'http://localhost:8080',
			placeholder: 'e.g. https://maxun.example.com',
			description:
				'The URL at which n8n can reach the backend of your Maxun server, not the dashboard',
		},
		{
			displayName: 'Server Time Zone',
			name: 'timezone',
			type: 'string',
			default: '',
			placeholder: 'e.g. Europe/Berlin',
			description:
				'The IANA time zone of your server, which writes dates without one. Required for exact times and for filtering runs by time. A server in Docker usually has UTC.',
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
			// Some web servers return the dashboard's page only to clients that don't ask for JSON.
			headers: { accept: 'application/json' },
			// The key is sent to the Base URL and nowhere else.
			disableFollowRedirect: true,
		},
		// n8n reads both kinds of rules from one list, although its type allows only one kind.
		rules: Object.assign([...REFUSALS], { [REFUSALS.length]: FOREIGN_PAGE }),
	};
}
