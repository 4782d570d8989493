import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

const MODELS = ['anthropic', 'ollama', 'openai'];

export class MaxunSelfHostedApi implements ICredentialType {
	name = 'maxunSelfHostedApi';

	displayName = 'Maxun Self-Hosted API';

	icon: Icon = { light: 'file:../icons/maxun.svg', dark: 'file:../icons/maxun.dark.svg' };

	documentationUrl =
		'https://github.com/n8n-nodes-maxun-robots/n8n-nodes-maxun-robots/blob/main/docs/self-hosted.md';

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
			description: 'The backend URL of your Maxun server (not the dashboard), reachable from n8n',
		},
		{
			displayName: 'Server Time Zone',
			name: 'timezone',
			type: 'string',
			default: '',
			placeholder: 'e.g. Europe/Berlin',
			description:
				'The IANA time zone of the dates that your server returns. Required for exact times and to filter runs by time. Servers in Docker usually use UTC.',
		},
		{
			displayName: 'Language Model',
			name: 'llmProvider',
			type: 'options',
			options: [
				{
					name: 'Server Default',
					value: '',
					description: "The model in your server's settings",
				},
				{ name: 'Anthropic', value: 'anthropic' },
				{ name: 'Ollama', value: 'ollama' },
				{ name: 'OpenAI', value: 'openai', description: 'Includes compatible services' },
			],
			default: '',
			description: 'The model that your server uses for agents, Smart Queries and summaries',
		},
		{
			displayName: 'Model Name',
			name: 'llmModel',
			type: 'string',
			displayOptions: { show: { llmProvider: MODELS } },
			default: '',
			placeholder: 'e.g. llama3.2-vision',
			description: "Leave empty to use your server's default model",
		},
		{
			displayName: 'Model API Key',
			name: 'llmApiKey',
			type: 'string',
			typeOptions: { password: true },
			displayOptions: { show: { llmProvider: ['anthropic', 'openai'] } },
			default: '',
			description:
				'The API key of the model. Your server stores it unencrypted with robots that use Smart Queries or summaries.',
		},
		{
			displayName: 'Model Base URL',
			name: 'llmBaseUrl',
			type: 'string',
			displayOptions: { show: { llmProvider: MODELS } },
			default: '',
			placeholder: 'e.g. http://ollama:11434',
			description:
				'The URL of the model, reachable from your server. Leave empty to use the default.',
		},
	];

	// This is a function, because n8n can't evaluate expressions for an event once it has responded to the previous event.
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => ({
		...request,
		headers: { ...request.headers, 'x-api-key': String(credentials.apiKey).trim() },
	});
}
