import { gzipSync } from 'node:zlib';

/** A response on its way from Maxun to n8n. */
export interface Answer {
	status: number;
	headers?: Record<string, string>;
	body: unknown;
	/** Instead of the body. */
	bytes?: Buffer;
	arrival?: 'in drops' | 'cut' | 'reset';
}

export type Random = () => number;

interface Mutation {
	/** Whether the response shows nothing of what Maxun promises, so that nothing may count as done. */
	isNonsense?: boolean;
	apply(answer: Answer, random: Random, request: string): Partial<Answer>;
}

export const OTHER = '99999999-aaaa-4bbb-8ccc-dddddddddddd';

const HTML = { 'content-type': 'text/html' };

const deep = (levels: number) =>
	Buffer.from(`{"success":true,"data":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`);

/** What a key looks like in five encodings. */
export const formsOf = (secret: string): string[] => [
	secret,
	encodeURIComponent(secret),
	Buffer.from(secret).toString('base64'),
	JSON.stringify(secret).slice(1, -1),
	[...secret].map((character) => `&#${character.codePointAt(0)};`).join(''),
];

/** Each encoding writes it differently. */
export const SECRET = 'mx-"live"/k&y+<0123456789>';
const ECHO = formsOf(SECRET).join(' ');

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Changes each value inside. @param change returns undefined for a value whose parts are changed instead */
function each(
	value: unknown,
	change: (value: unknown, name: string) => unknown,
	name = '',
): unknown {
	const changed = change(value, name);
	if (changed !== undefined) return changed === REMOVED ? undefined : changed;
	if (Array.isArray(value)) return value.map((entry) => each(entry, change, name));
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, entry]) => [key, each(entry, change, key)]),
	);
}
const REMOVED = Symbol('removed');

const ENVELOPE = ['success', 'statusCode', 'messageCode', 'message', 'data', 'robot', 'robots'];
const OUTSIDE = [...ENVELOPE, 'run', 'runs', 'items', 'totalCount', 'schedule', 'recording_meta'];

/** Changes the fields of the entries, but not the envelope. */
const fields =
	(change: (value: unknown, random: Random) => unknown, share = 1): Mutation['apply'] =>
	({ body }, random) => ({
		body: each(body, (value, name) =>
			name === '' || OUTSIDE.includes(name) || random() >= share
				? undefined
				: change(value, random),
		),
	});

const whole = (body: unknown): Mutation => ({ isNonsense: true, apply: () => ({ body }) });
const refused = (
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
): Mutation => ({
	isNonsense: true,
	apply: () => ({ status, headers, body }),
});

const OTHER_TYPES = [5, 'text', true, {}, [], { a: null }, [null]];
const ID_NAMES = /^(id|runId|robotId|_id|previousRunId)$/;

/** All payloads of an envelope. */
const payload = (body: unknown, data: unknown): unknown => {
	if (!isRecord(body)) return data;
	const name = ['data', 'robot', 'robots', 'run', 'runs', 'schedule'].find((key) => key in body);
	return name ? { ...body, [name]: data } : { success: true };
};

/** What may come instead of a response. */
export const MUTATIONS: Record<string, Mutation> = {
	nothing: whole(''),
	'only success': whole({ success: true }),
	'a number': whole(5),
	null: { isNonsense: true, apply: () => ({ bytes: Buffer.from('null') }) },
	'a page': { isNonsense: true, apply: () => ({ headers: HTML, body: `<h1>Hi</h1>${ECHO}` }) },
	'empty data': { isNonsense: true, apply: ({ body }) => ({ body: payload(body, {}) }) },
	'a text as data': { isNonsense: true, apply: ({ body }) => ({ body: payload(body, 'OK') }) },
	'odd entries': {
		isNonsense: true,
		apply: ({ body }) => ({ body: payload(body, [null, 5, 'a', [], true]) }),
	},
	'null fields': { apply: fields(() => null) },
	'wrong types': { apply: fields((_, random) => OTHER_TYPES[Math.floor(random() * 7)]) },
	'a missing field': { apply: fields(() => REMOVED, 0.3) },
	'huge numbers': {
		apply: fields((value) => (typeof value === 'number' ? 1e308 : undefined)),
	},
	'odd times': {
		apply: fields((value) =>
			typeof value === 'string' && /\d:\d\d/.test(value)
				? '+275760-09-13T00:00:00.001Z'
				: undefined,
		),
	},
	'odd texts': {
		apply: fields((value, random) =>
			typeof value === 'string' && random() < 0.5 ? '\ud83d\u0000\u202e__proto__' : undefined,
		),
	},
	'long texts': {
		apply: fields((value) =>
			typeof value === 'string' && !/^[\w-]{36}$/.test(value) ? value.repeat(9_999) : undefined,
		),
	},
	'deep data': { isNonsense: true, apply: () => ({ bytes: deep(100_000) }) },
	'a deep field': {
		apply: ({ body }) => ({
			bytes: Buffer.from(
				JSON.stringify(body).replace(/"(name|url|log)":("[^"]*"|null)/, (_, name) => {
					return `"${name}":${'['.repeat(100_000)}${']'.repeat(100_000)}`;
				}),
			),
		}),
	},
	"another entry's IDs": {
		apply: ({ body }) => ({
			body: each(body, (value, name) =>
				ID_NAMES.test(name) && typeof value === 'string' ? OTHER : undefined,
			),
		}),
	},
	"the asked entry's IDs": {
		apply: ({ body }, _random, request) => ({
			body: each(body, (value, name) =>
				ID_NAMES.test(name) && typeof value === 'string'
					? /[0-9a-f-]{36}/.exec(request)?.[0]
					: undefined,
			),
		}),
	},
	'a date far ahead': { apply: () => ({ headers: { date: '+275760-09-12T23:00:00Z' } }) },
	"a failed run's reason": {
		apply: ({ body }) => ({
			body: each(body, (value, name) => {
				if (value === 'success' && name === 'status') return 'failed';
				return name === 'error' || name === 'log' ? `It failed: ${ECHO}` : undefined;
			}),
		}),
	},
	'a rejection': refused(400, { success: false, error: ECHO }),
	'a key that is wrong': refused(401, { success: false, error: `Wrong: ${ECHO}` }),
	'a ban': refused(403, `<p>Forbidden ${ECHO}`, HTML),
	'no entry': refused(404, { statusCode: 404, messageCode: 'not_found', message: ECHO }),
	'no route': refused(404, '<pre>Cannot GET /api</pre>', HTML),
	'odd rejection': refused(422, { error: { message: { a: [ECHO] } }, details: [[5], null] }),
	'a rate limit without end': refused(
		429,
		{ success: false, error: 'Slow' },
		{ 'retry-after': '1e9' },
	),
	'a server fault': refused(500, { statusCode: 500, messageCode: 'error', message: ECHO }),
	'a bad gateway': refused(502, `<title>${ECHO}</title>`, { ...HTML, 'retry-after': '0' }),
	'a server that is busy for years': refused(503, '', { 'retry-after': '1e9', date: 'never' }),
	'a redirect': refused(302, '', { location: `https://a.example/?k=${encodeURIComponent(ECHO)}` }),
	'a redirect to nowhere': refused(308, '', { location: '//' }),
	'another success': refused(206, { success: true, data: null }),
	'a cut answer': { isNonsense: true, apply: () => ({ arrival: 'cut' }) },
	'a reset': { isNonsense: true, apply: () => ({ arrival: 'reset' }) },
	'an answer in drops': { apply: () => ({ arrival: 'in drops' }) },
	'a bomb': {
		isNonsense: true,
		apply: () => ({ headers: { 'content-encoding': 'gzip' }, bytes: bomb() }),
	},
	'a packed text that is none': {
		isNonsense: true,
		apply: () => ({ headers: { 'content-encoding': 'gzip' }, bytes: Buffer.from('no gzip') }),
	},
};

/** A name of 200 MB in 200 kB. A file in the format may have several parts. */
function bomb(): Buffer {
	const part = gzipSync(Buffer.alloc(2 ** 20, 'a'));
	const begin = gzipSync('{"success":true,"data":{"id":"a","status":"success","name":"');
	return Buffer.concat([begin, ...Array.from({ length: 200 }, () => part), gzipSync('"}}')]);
}
