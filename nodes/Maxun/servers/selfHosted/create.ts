import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { documentForm, type UploadedFile } from '../../http/multipart';
import { withoutEmpty } from '../../http/request';
import { cut } from '../../http/text';
import { isObject, isText } from '../../http/values';
import type { CreatableRobot, DocumentFields, ServerConnection } from '../types';
import { BUILD_TIMEOUT, createStoredRobot, nameTaken, robotOf } from '../sdk/storedRobot';
import { listRobots } from './readRuns';

export async function createRobot(
	api: ServerConnection,
	type: CreatableRobot,
	fields: IDataObject,
): Promise<IDataObject> {
	const name = await freeName(api, type, fields);
	const [route, body] = requests[type](api, { ...fields, name });
	return robotOf(await createStoredRobot(api, route, body), api.timezone);
}

/** Maxun Cloud's defaults. Without them, the server reads only the first page. */
const CRAWL_DEFAULTS: IDataObject = {
	mode: 'domain',
	limit: 50,
	maxDepth: 3,
	useSitemap: true,
	followLinks: true,
	respectRobots: true,
};

const requests: Record<
	CreatableRobot,
	(api: ServerConnection, fields: IDataObject) => [route: string, body: IDataObject]
> = {
	scrape: (api, { name, url, formats, smartQueries, compareRuns }) => [
		'/sdk/robots',
		{
			meta: withoutEmpty({
				name,
				type: 'scrape',
				url,
				formats,
				promptInstructions: smartQueries,
				compareRuns,
				...modelFor(api, smartQueries || summarizes(formats), 'promptLlm'),
			}),
			workflow: [],
		},
	],
	crawl: (api, { name, url, crawlConfig, compareRuns }) => {
		const { formats, ...given } = withFormats(crawlConfig);
		const config = { ...CRAWL_DEFAULTS, ...given };
		const model = modelFor(api, summarizes(formats));
		return [
			'/sdk/crawl',
			withoutEmpty({ name, url, crawlConfig: config, formats, compareRuns, ...model }),
		];
	},
	search: (api, { name, searchConfig }) => {
		const { formats, mode, ...config } = withFormats(searchConfig);
		const model = modelFor(api, summarizes(formats));
		// Maxun Cloud's defaults. Without a mode, the server opens each result.
		const body = { limit: 10, ...config, mode: mode ?? 'discover' };
		return ['/sdk/search', withoutEmpty({ name, searchConfig: body, formats, ...model })];
	},
};

function withFormats(config: unknown): IDataObject {
	const { outputFormats, ...others } = isObject(config) ? config : {};
	return { ...others, formats: outputFormats };
}

export async function createDocumentRobot(
	api: ServerConnection,
	kind: 'extract' | 'parse',
	document: UploadedFile,
	{ name, prompt, outputFormats }: DocumentFields,
): Promise<IDataObject> {
	const form = documentForm(document, {
		prompt,
		robotName: name,
		'outputFormats[]': outputFormats,
		...modelFor(api, true),
	});
	const route = kind === 'extract' ? '/sdk/robots/document' : '/sdk/robots/document-parse';
	return robotOf(await createStoredRobot(api, route, form), api.timezone);
}

const Created = z.object({ robotId: z.string().min(1), existing: z.boolean().optional() });

export async function createAgent(
	api: ServerConnection,
	{ prompt, url, name, compareRuns }: IDataObject,
): Promise<IDataObject> {
	const robotName = await freeName(api, 'agent', { prompt, name });
	const body = withoutEmpty({ prompt, url, robotName, compareRuns, ...modelFor(api, true) });
	const { robotId, existing } = await api.send(
		{ method: 'POST', path: '/sdk/extract/llm', body, timeout: BUILD_TIMEOUT },
		Created,
	);
	if (existing) throw nameTaken(robotName, robotId);
	const agent = { id: robotId, name: robotName, type: 'agent', status: 'ready', prompt, url };
	return withoutEmpty(agent);
}

const DEFAULT_NAMES: Record<CreatableRobot | 'agent', (fields: IDataObject) => string> = {
	agent: ({ prompt }) => `LLM Extract: ${cut(String(prompt), 50)}`,
	crawl: ({ url }) => `Crawl Robot - ${new URL(String(url)).hostname}`,
	scrape: ({ url }) => `Scrape Robot - ${new URL(String(url)).hostname}`,
	search: ({ searchConfig }) =>
		`Search Robot - ${String(isObject(searchConfig) ? searchConfig.query : '')}`,
};

async function freeName(
	api: ServerConnection,
	type: CreatableRobot | 'agent',
	fields: IDataObject,
): Promise<string> {
	const { name } = fields;
	if (isText(name)) {
		// The server checks the names of other robots itself.
		if (type === 'search') await demandFreeName(api, name);
		return name;
	}
	const taken = new Set((await listRobots(api)).map(({ name }) => name));
	const initial = DEFAULT_NAMES[type](fields);
	let free = initial;
	for (let number = 2; taken.has(free); number++) free = `${initial} (${number})`;
	return free;
}

/**
 * The server would accept the name. @returns the IDs of all robots
 * @throws MaxunFault with status 409 if another robot has the name
 */
export async function demandFreeName(api: ServerConnection, name: string): Promise<Set<string>> {
	const robots = await listRobots(api);
	if (robots.some((robot) => robot.name === name)) throw nameTaken(name);
	return new Set(robots.map(({ id }) => id));
}

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
