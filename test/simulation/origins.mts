/** Where the simulated servers are. */
export const ORIGINS = {
	cloud: 'https://maxun.test',
	selfHosted: 'http://maxun.internal:8080',
	n8n: 'https://n8n.test',
};
