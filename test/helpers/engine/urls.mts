/** The URLs that n8n passes to the engine. @param origin this n8n instance's URL without a final slash */
export const urlsOf = (origin: string) => ({
	restApiUrl: `${origin}/rest`,
	webhookBaseUrl: `${origin}/webhook`,
	webhookTestBaseUrl: `${origin}/webhook-test`,
	webhookWaitingBaseUrl: `${origin}/webhook-waiting`,
	formBaseUrl: `${origin}/form`,
	formTestBaseUrl: `${origin}/form-test`,
	formWaitingBaseUrl: `${origin}/form-waiting`,
	mcpBaseUrl: `${origin}/mcp`,
	mcpTestBaseUrl: `${origin}/mcp-test`,
});
