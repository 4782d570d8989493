import { withoutEmpty } from '../../http/request';
import type { ServerConnection } from '../types';

/** The server stores the key in clear text with a scrape robot, so only requests that need a model get it. */
export function modelFor(
	{ languageModel }: ServerConnection,
	isNeeded: unknown,
	prefix: 'llm' | 'promptLlm' = 'llm',
): Record<string, string> {
	if (!languageModel || !isNeeded) return {};
	const { provider, model, apiKey, baseUrl } = languageModel;
	const named = { Provider: provider, Model: model, ApiKey: apiKey, BaseUrl: baseUrl };
	return Object.fromEntries(
		Object.entries(withoutEmpty(named)).map(([name, value]) => [prefix + name, String(value)]),
	);
}

export const summarizes = (formats: unknown) =>
	Array.isArray(formats) && formats.includes('summary');
