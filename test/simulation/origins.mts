/** Where the simulated servers are. */
export const ORIGINS = {
	cloud: 'https://maxun.test',
	selfHosted: 'http://maxun.internal:8080',
	otherSelfHosted: 'http://maxun.other:8080',
	n8n: 'https://n8n.test',
};

/** The header that tells a simulated server who sent a request, such as an execution's ID. */
export const SENDER = 'x-simulation-sender';

/** The API key in the credentials, and another account's key. */
export const KEYS = {
	own: 'mx-key-4f81c2d97ab3e650',
	other: 'mx-key-90b7e1f24dc86a35',
};
