import type { IDataObject } from 'n8n-workflow';
import type { RecordedRequest } from '../helpers/control.mts';
import { ORIGINS } from './release.mts';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The name of a temporary robot. */
const TEMPORARY_NAME = /n8n (\w+) until \S+ [\w-]{10}/g;

/** The ID of an action in a new robot. */
const ACTION_ID = /n8n-[\w-]{10}(?=")/g;

/**
 * The same value without the parts that differ each time: origins, names of temporary robots, IDs of actions, and IDs
 * that the stored state doesn't contain. These become `{1}`, `{2}` … in order of appearance.
 *
 * @param state the sandbox's stored state
 */
export function withoutRandom<T>(
	value: T,
	state: string,
	{ sandbox, n8n = ORIGINS.n8n }: { sandbox: string; n8n?: string },
): T {
	const unknown: string[] = [];
	const numbered = (id: string) => {
		if (state.includes(id)) return id;
		if (!unknown.includes(id)) unknown.push(id);
		return `{${unknown.indexOf(id) + 1}}`;
	};
	const text = JSON.stringify(value)
		.replaceAll(sandbox, ORIGINS.sandbox)
		.replaceAll(n8n, ORIGINS.n8n)
		.replace(TEMPORARY_NAME, 'n8n $1 …')
		.replace(ACTION_ID, 'n8n-…')
		.replace(UUID, numbered);
	return JSON.parse(text);
}

/** The requests that change something in Maxun. */
export const changesOf = (requests: RecordedRequest[]) =>
	requests
		.filter(({ method }) => method !== 'GET')
		.map(({ root, method, path, query, body }) => ({
			request: `${method} ${root}${path}`,
			...(Object.keys(query).length > 0 && { query }),
			...(body !== undefined && body !== null && { body }),
		}));

/** The fields of items with their types, as in `run.id: string`. Fields without a value have no type. */
export function fieldsOf(items: IDataObject[]): string[] {
	return [...new Set(items.flatMap((item) => fieldsIn(item, '')))].sort();
}

function fieldsIn(value: unknown, path: string): string[] {
	if (value === null || value === undefined) return [];
	if (Array.isArray(value)) return value.flatMap((entry) => fieldsIn(entry, `${path}[]`));
	if (typeof value !== 'object') return [`${path}: ${typeof value}`];
	return Object.entries(value).flatMap(([name, entry]) =>
		fieldsIn(entry, path === '' ? name : `${path}.${name}`),
	);
}
