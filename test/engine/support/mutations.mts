import { gzipSync } from 'node:zlib';

/** A response on its way from Maxun to n8n. */
export interface Answer {
	status: number;
	headers?: Record<string, string>;
	/** Bytes, a text, or anything else as JSON. */
	body: unknown;
	arrival?: 'in drops' | 'cut' | 'reset';
}

type Random = () => number;

interface Mutation {
	/** Whether the response doesn't show anything that Maxun promises, so nothing may count as done. */
	isNonsense?: boolean;
	apply(answer: Answer, random: Random, request: string): Partial<Answer>;
}

const HTML = { 'content-type': 'text/html' };
const YEARS = { 'retry-after': '1e9' };
const GZIP = { 'content-encoding': 'gzip' };

/** What a key looks like in five encodings. */
export const formsOf = (secret: string): string[] => [
	secret,
	encodeURIComponent(secret),
	Buffer.from(secret).toString('base64'),
	JSON.stringify(secret).slice(1, -1),
	[...secret].map((character) => `&#${character.codePointAt(0)};`).join(''),
];

/** The message of an unexpected error. */
export const UNEXPECTED =
	/undefined|\[object Object\]|Cannot read|not a function|not iterable|\bNaN\b|Maximum call|Invalid (time|array)|Unexpected token|URI malformed|\w+Error:/;

/** Each encoding writes it differently. */
export const SECRET = 'mx-"live"/k&y+<0123456789>';
export const MODEL = {
	...{ llmProvider: 'openai', llmModel: 'model' },
	llmApiKey: 'sk-"model"/k&y+<9876543210>',
};
export const PASSWORD = 'the "pass"/w&rd+<1357924680>';
const ECHO = [SECRET, MODEL.llmApiKey, PASSWORD].flatMap(formsOf).join(' ');

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const REMOVED = Symbol('removed');

/** Changes each value inside. `change` returns undefined for a value whose parts are changed instead. */
const each = (
	change: (value: unknown, name: string, random: Random, request: string) => unknown,
): Mutation => ({
	apply({ body }, random, request) {
		const changed = (value: unknown, name = ''): unknown => {
			const own = change(value, name, random, request);
			if (own !== undefined) return own === REMOVED ? undefined : own;
			if (Array.isArray(value)) return value.map((entry) => changed(entry, name));
			if (!isRecord(value)) return value;
			const entries = Object.entries(value).map(([key, entry]) => [key, changed(entry, key)]);
			return Object.fromEntries(entries);
		};
		return { body: changed(body) };
	},
});

const OUTSIDE =
	/^(|success|statusCode|messageCode|message|data|robots?|runs?|items|totalCount|schedule|recording_meta)$/;

/** Changes the fields of the entries, but not the envelope. */
const fields = (change: (value: unknown, random: Random) => unknown, share = 1): Mutation =>
	each((value, name, random) =>
		OUTSIDE.test(name) || random() >= share ? undefined : change(value, random),
	);

const texts = (change: (text: string, random: Random) => string | undefined): Mutation =>
	fields((value, random) => (typeof value === 'string' ? change(value, random) : undefined));

const ids = (idFor: (request: string) => string | undefined): Mutation =>
	each((value, name, _random, request) =>
		/^(id|runId|robotId|_id|previousRunId)$/.test(name) && typeof value === 'string'
			? idFor(request)
			: undefined,
	);

const nonsense = (answer: Partial<Answer>): Mutation => ({
	isNonsense: true,
	apply: () => answer,
});

const refused = (status: number, body: unknown, headers: Record<string, string> = {}) =>
	nonsense({ status, headers, body });

/** Another payload in the same envelope. */
const payload = (data: unknown): Mutation => ({
	isNonsense: true,
	apply({ body }) {
		if (!isRecord(body)) return { body: data };
		const names = ['data', 'robot', 'robots', 'run', 'runs', 'schedule'];
		const name = names.find((key) => key in body);
		return { body: name ? { ...body, [name]: data } : { success: true } };
	},
});

const nested = (begin: string, end: string, inner = '') =>
	begin.repeat(100_000) + inner + end.repeat(100_000);

const OTHER_TYPES = [5, 'text', true, {}, [], { a: null }, [null]];

/** What may come instead of a response. */
export const MUTATIONS: Record<string, Mutation> = {
	nothing: nonsense({ body: '' }),
	'only success': nonsense({ body: { success: true } }),
	'a number': nonsense({ body: 5 }),
	null: nonsense({ body: null }),
	'a page': nonsense({ headers: HTML, body: `<h1>Hi</h1>${ECHO}` }),
	'empty data': payload({}),
	'a text as data': payload('OK'),
	'odd entries': payload([null, 5, 'a', [], true]),
	'null fields': fields(() => null),
	'wrong types': fields((_, random) => OTHER_TYPES[Math.floor(random() * 7)]),
	'a missing field': fields(() => REMOVED, 0.3),
	'huge numbers': fields((value) => (typeof value === 'number' ? 1e308 : undefined)),
	'odd times': texts((text) => (/\d:\d\d/.test(text) ? '+275760-09-13T00:00:00.001Z' : undefined)),
	'odd texts': texts((_, random) => (random() < 0.5 ? '\ud83d\u0000\u202e__proto__' : undefined)),
	'long texts': texts((text) => (/^[\w-]{36}$/.test(text) ? undefined : text.repeat(9_999))),
	'deep data': nonsense({ body: `{"success":true,"data":${nested('{"a":', '}', '1')}}` }),
	'a deep field': {
		apply: ({ body }) => ({
			body: JSON.stringify(body).replace(
				/"(name|url|log)":("[^"]*"|null)/,
				`"$1":${nested('[', ']')}`,
			),
		}),
	},
	"another entry's IDs": ids(() => '99999999-aaaa-4bbb-8ccc-dddddddddddd'),
	"the asked entry's IDs": ids((request) => /[0-9a-f-]{36}/.exec(request)?.[0]),
	'a date far ahead': { apply: () => ({ headers: { date: '+275760-09-12T23:00:00Z' } }) },
	"a failed run's reason": each((value, name) => {
		if (value === 'success' && name === 'status') return 'failed';
		return name === 'error' || name === 'log' ? `It failed: ${ECHO}` : undefined;
	}),
	'a rejection': refused(400, { success: false, error: ECHO }),
	'a key that is wrong': refused(401, { success: false, error: `Wrong: ${ECHO}` }),
	'a ban': refused(403, `<p>Forbidden ${ECHO}`, HTML),
	'no entry': refused(404, { statusCode: 404, messageCode: 'not_found', message: ECHO }),
	'no route': refused(404, '<pre>Cannot GET /api</pre>', HTML),
	'odd rejection': refused(422, { error: { message: { a: [ECHO] } }, details: [[5], null] }),
	'a rate limit without end': refused(429, { success: false, error: 'Slow' }, YEARS),
	'a server fault': refused(500, { statusCode: 500, messageCode: 'error', message: ECHO }),
	'a bad gateway': refused(502, `<title>${ECHO}</title>`, { ...HTML, 'retry-after': '0' }),
	'a server that is busy for years': refused(503, '', { ...YEARS, date: 'never' }),
	'a redirect': refused(302, '', { location: `https://a.example/?k=${encodeURIComponent(ECHO)}` }),
	'a redirect to nowhere': refused(308, '', { location: '//' }),
	'another success': refused(206, { success: true, data: null }),
	'a cut answer': nonsense({ arrival: 'cut' }),
	'a reset': nonsense({ arrival: 'reset' }),
	'an answer in drops': { apply: () => ({ arrival: 'in drops' }) },
	'a bomb': { isNonsense: true, apply: () => ({ headers: GZIP, body: bomb() }) },
	'a packed text that is none': nonsense({ headers: GZIP, body: 'no gzip' }),
};

/** A name of 200 MB in 200 kB. A file in the format may have several parts. */
function bomb(): Buffer {
	const part = gzipSync(Buffer.alloc(2 ** 20, 'a'));
	const begin = gzipSync('{"success":true,"data":{"id":"a","status":"success","name":"');
	return Buffer.concat([begin, ...Array.from({ length: 200 }, () => part), gzipSync('"}}')]);
}
