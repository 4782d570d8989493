import { expect } from 'vitest';
import { KEYS } from '../../sandbox/index.mts';
import type { RecordedRequest } from '../../sandbox/request-log.mts';

/** A request's method, path, query and body, without varying parts. */
export interface Wire {
	method: string;
	path: string;
	query?: Record<string, string>;
	body?: unknown;
	/** A multipart body's parts: texts, and the file's name, type and size. */
	parts?: Array<[name: string, content: string | FilePart]>;
}

export interface FilePart {
	filename: string;
	contentType: string;
	size: number;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Some requests have an optional body. No body and an empty object are equal. */
const isEmpty = (body: unknown) =>
	body === undefined || body === null || JSON.stringify(body) === '{}';

const isParts = (body: unknown): body is Array<Record<string, unknown>> => Array.isArray(body);

const partOf = ({ name, value, filename, contentType, size }: Record<string, unknown>) => [
	name,
	value ?? { filename, contentType, size },
];

function wireOf({ method, path, query, body }: RecordedRequest): Wire {
	const asked = Object.fromEntries(
		Object.entries(query).map(([name, value]) => [name, String(value)]),
	);
	const sent = { method, path, query: asked };
	if (isParts(body))
		return complete({ ...sent, parts: JSON.parse(JSON.stringify(body.map(partOf))) });
	return complete({ ...sent, body });
}

const complete = ({ method, path, query = {}, body, parts = [] }: Wire): Wire => ({
	method,
	path,
	query,
	body: isEmpty(body) ? null : body,
	parts: [...parts].sort(([a], [b]) => a.localeCompare(b)),
});

/** Repeated polls count once. */
const withoutRepeats = (requests: Wire[]) =>
	requests.filter(
		({ method, path, query }, index) =>
			method !== 'GET' ||
			JSON.stringify([method, path, query]) !==
				JSON.stringify([
					requests[index - 1]?.method,
					requests[index - 1]?.path,
					requests[index - 1]?.query,
				]),
	);

/** Replaces IDs with `{1}`, `{2}` … in order of first appearance. */
function numbered(requests: Wire[]): Wire[] {
	const ids: string[] = [];
	const number = (id: string) => {
		if (!ids.includes(id)) ids.push(id);
		return `{${ids.indexOf(id) + 1}}`;
	};
	return requests.map((request) => ({ ...request, path: request.path.replace(UUID, number) }));
}

/** Whether a request looks for expired robots. This happens at most once every ten minutes. */
const looksForExpired = ({ method, path, query }: RecordedRequest) =>
	method === 'GET' && path === '/robots' && query.q === 'n8n';

export function expectRequests(sent: RecordedRequest[], requests: Wire[]): void {
	const counted = sent.filter((request) => !looksForExpired(request));
	const wires = withoutRepeats(counted.map(wireOf));
	const hasNumbers = requests.some(({ path }) => path.includes('{1}'));
	expect(hasNumbers ? numbered(wires) : wires).toEqual(requests.map(complete));
}

/** Checks each request's caller, team and body type. */
export function expectIdentity(requests: RecordedRequest[], teamId?: string): void {
	for (const { headers, body, path } of requests) {
		expect(headers.authorization, path).toBe(`Bearer ${KEYS.owner}`);
		expect(headers['x-team-id'], path).toBe(teamId);
		const isSdk = path.startsWith('/sdk/');
		expect(headers['x-api-key'], path).toBe(isSdk ? KEYS.owner : undefined);
		if (isEmpty(body)) continue;
		const type = isParts(body) ? /^multipart\/form-data; *boundary=/ : /^application\/json\b/;
		expect(headers['content-type'], path).toMatch(type);
	}
}
