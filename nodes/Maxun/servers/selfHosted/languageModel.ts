import type { ServerConnection } from '../types';
import { withoutEmpty } from '../../http/request';

// The language model in the credential. Without one, the server uses its own.

/** Settings of a language model, as the fields of a request name them. */
type ModelFields = Record<string, string>;

const fieldsOf = ({ languageModel }: ServerConnection, prefix: string): ModelFields => {
	if (!languageModel) return {};
	const { provider, model, apiKey, baseUrl } = languageModel;
	const named = { Provider: provider, Model: model, ApiKey: apiKey, BaseUrl: baseUrl };
	return Object.fromEntries(
		Object.entries(withoutEmpty(named)).map(([name, value]) => [prefix + name, String(value)]),
	);
};

const summarizes = (formats: unknown) => Array.isArray(formats) && formats.includes('summary');

/**
 * The model for a scrape robot, which the server stores in clear text with the robot. So robots that need no model get
 * none.
 */
export const modelOfRobot = (
	api: ServerConnection,
	{ formats, smartQueries }: { formats?: unknown; smartQueries?: unknown },
): ModelFields => (smartQueries || summarizes(formats) ? fieldsOf(api, 'promptLlm') : {});

/** The model for a request, if all its requests or these formats need one. */
export const modelOfRequest = (
	api: ServerConnection,
	formats: unknown = ['summary'],
): ModelFields => (summarizes(formats) ? fieldsOf(api, 'llm') : {});
