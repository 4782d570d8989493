import { inspect } from 'node:util';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { afterEach, expect, it, vi } from 'vitest';
import { cases } from '../contract/cases.mts';
import type { Case } from '../contract/contract.mts';
import { Subject } from '../contract/subject.mts';
import { execute, type Execution } from '../helpers/engine/index.mts';
import { maxun } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { CUSTOMER } from '../sandbox/site/site.mts';
import { CASES, QUICK } from './cases/index.mts';
import { Mutator, type Answer, type Mutate } from './support/mutations.mts';
import { inputOf, type OperationCase } from './support/operations.mts';

/*
 * Whatever a server answers, an operation ends, and says what is wrong. Each answer of each endpoint is replaced while
 * the others stay as they are. `TEST_MUTATIONS=2000` tries so many.
 */

const sandbox = useSandbox({
	settings: { ...QUICK.settings, selfHostedForm: 'observed', selfHostedStepSeconds: 0.02 },
});
const mutator = new Mutator(() => sandbox.url);

/** A key with characters that each encoding writes differently can't be a header, so only its place differs. */
const KEY = 'mx-sandbox-owner-key';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const percent = (text: string) =>
	[...text].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');
const json = (text: string) =>
	[...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const html = (text: string) => [...text].map((one) => `&#${one.charCodeAt(0)};`).join('');
const FORMS = [(text: string) => text, percent, base64, json, html];
const written = (secret: string) => FORMS.map((form) => form(secret)).join(' and ');

const SECRET = `${written(KEY)} and ${written(CUSTOMER.password)}`;

const deep = (levels: number): unknown => {
	let value: unknown = {};
	for (let level = 0; level < levels; level++) value = { data: value };
	return value;
};

/** A value of another type at the same place. */
const wrong = (value: unknown): unknown => {
	if (typeof value === 'string') return { a: 1 };
	if (typeof value === 'number') return 'x';
	if (typeof value === 'boolean') return [];
	return Array.isArray(value) ? 'x' : 5;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The answer with another value for each field, also in lists and objects. */
function withFields(
	value: unknown,
	change: (field: unknown, name: string) => unknown,
	depth = 0,
): unknown {
	if (Array.isArray(value)) return value.map((entry) => withFields(entry, change, depth));
	if (!isRecord(value)) return value;
	const inner = (field: unknown, name: string) =>
		typeof field === 'object' && field !== null && depth < 2
			? withFields(field, change, depth + 1)
			: change(field, name);
	return Object.fromEntries(
		Object.entries(value).map(([name, field]) => [name, inner(field, name)]),
	);
}

const body =
	(given: unknown): Mutate =>
	() => ({ body: given });
const fields =
	(change: (field: unknown, name: string) => unknown): Mutate =>
	(answer) => ({
		body: withFields(answer.body, change),
	});
const OTHER = '11111111-2222-4333-8444-555555555555';

/** Answers that promise nothing: without an error, there must be something to show for them. */
const EMPTY: Record<string, Mutate> = {
	nothing: body(''),
	'an empty object': body({}),
	'only success': body({ success: true }),
	'a text': body('OK'),
	'a JSON text': body('"OK"'),
	'a number': body(5),
	true: body(true),
	'a list of numbers': body([5]),
	'empty data': body({ success: true, data: {} }),
	'a text as data': body({ success: true, data: 'OK' }),
	'nulls as data': body({ success: true, data: [null, 5, 'a'] }),
	'100,000 levels': () => ({ body: '{"data":'.repeat(100_000) + '1' + '}'.repeat(100_000) }),
	'300 levels': body(deep(300)),
	'half of it': ({ body: own }: Answer) => {
		const text = JSON.stringify(own);
		return { body: text.slice(0, text.length / 2) };
	},
	'a packed bomb': () => ({
		headers: { 'content-encoding': 'gzip' },
		body: `{"data":"${' '.repeat(2 ** 23)}"`,
	}),
};

const OTHERS: Record<string, Mutate> = {
	'no fields': fields(() => undefined),
	'null fields': fields(() => null),
	'empty fields': fields(() => ''),
	'fields of wrong types': fields(wrong),
	'fields that are lists': fields((field) => [field]),
	'fields that are objects': fields((field) => ({ field })),
	'huge numbers': fields((field) => (typeof field === 'number' ? 1e308 : field)),
	'halves of characters': fields((field) => (typeof field === 'string' ? `${field}\ud83d` : field)),
	'dates that are none': fields((field, name) => (/At$|date/i.test(name) ? 'never' : field)),
	'unknown statuses': fields((field, name) => (name === 'status' ? 'odd' : field)),
	"another run's ID": fields((field, name) => (/^(id|runId)$/.test(name) ? OTHER : field)),
	"another robot's ID": fields((field, name) => (name === 'robotId' ? OTHER : field)),
	'a list in a list': ({ body: own }) => ({ body: [own] }),
};

const DATED = { 'retry-after': '1e9', date: 'never' };
const ERRORS: Record<string, Mutate> = {
	'a redirect': () => ({ status: 302, headers: { location: '//a' }, body: '' }),
	'a redirect with the key': () => ({
		...{ status: 308, body: '' },
		headers: { location: `https://a.example/?key=${KEY}&b=${base64(KEY)}` },
	}),
	'an unexpected success': () => ({ status: 226, body: '' }),
	'no content': () => ({ status: 206, body: {} }),
	'a rejection with secrets': () => ({ status: 400, body: { success: false, error: SECRET } }),
	'details with secrets': () => ({
		status: 422,
		body: { messageCode: 'x', message: SECRET, details: [SECRET, { message: SECRET }] },
	}),
	'a page with secrets': () => ({
		...{ status: 200, headers: { 'content-type': 'text/html' } },
		body: `<p>${SECRET}</p>`,
	}),
	'a wrong key': () => ({ status: 401, body: { error: 5 } }),
	'a ban': () => ({ status: 403, body: { error: { message: SECRET } } }),
	'no entry': () => ({ status: 404, body: { error: 'Not found' } }),
	'a page for no entry': () => ({ status: 404, body: '<pre>Cannot GET</pre>' }),
	'a conflict': () => ({ status: 409, body: { error: [] } }),
	'a rate limit': () => ({ status: 429, headers: DATED, body: deep(300) }),
	'a server fault with secrets': () => ({ status: 500, body: { error: SECRET } }),
	'a gateway': () => ({ status: 503, headers: { 'retry-after': '-1' }, body: '<'.repeat(2 ** 17) }),
};

const MUTATIONS = { ...EMPTY, ...OTHERS, ...ERRORS };

/** The longest time for a case, in milliseconds of real time. */
const LIMIT = 60_000;

const generalOptions = { maxRetries: 0 };

/** Runs an operation once as it is, and then with each mutation of each of its endpoints. */
interface Fuzzed {
	name: string;
	run: (begin: () => void) => Promise<Execution>;
}

const CLOUD: Fuzzed[] = CASES.map(({ resource, operation, prepare }: OperationCase) => ({
	name: `${resource}: ${operation}`,
	run: async (begin) => {
		await sandbox.control.clear();
		const work = await prepare(sandbox, { teamId: '' });
		begin();
		const parameters = maxun(resource, operation, { ...work.parameters, generalOptions });
		return await execute({
			...{ parameters, input: inputOf([work]), signal: AbortSignal.timeout(LIMIT) },
			credentials: sandbox.credentials({ baseUrl: `${mutator.url}/api/v1` }),
		});
	},
}));

class Done extends Error {}

/** Ends with the first execution of the operation. */
class FuzzedSubject extends Subject {
	override readonly slowSeconds = 1;
	wanted: Case | undefined;
	begin = () => {};
	done: Execution | undefined;

	constructor() {
		super({ url: sandbox.url, key: KEY, site: sandbox.siteUrl, simulated: true });
	}

	override async run(
		...[resource, operation, parameters, file]: Parameters<Subject['run']>
	): Promise<IDataObject[]> {
		if (resource !== this.wanted?.resource || operation !== this.wanted.operation)
			return await super.run(resource, operation, parameters, file);
		this.begin();
		const given = { server: 'selfHosted', ...parameters, generalOptions };
		this.done = await execute({
			parameters: maxun(resource, operation, given),
			credentials: sandbox.serverCredentials({ baseUrl: mutator.url, timezone: 'UTC' }),
			...{
				signal: AbortSignal.timeout(LIMIT),
				...(file && { input: [{ json: {}, binary: file }] }),
			},
		});
		throw new Done();
	}
}

let subject: FuzzedSubject | undefined;

const SELF_HOSTED: Fuzzed[] = cases.map((wanted) => ({
	name: `${wanted.resource}: ${wanted.operation}`,
	run: async (begin) => {
		await sandbox.control.settings({ selfHostedSdk: 'newer' });
		const attempt = async () => {
			subject ??= new FuzzedSubject();
			Object.assign(subject, { wanted, begin, done: undefined });
			await wanted.check(subject).catch((error: unknown) => {
				if (!(error instanceof Done)) throw error;
			});
			if (!subject.done) throw new Error(`${wanted.operation} was not run`);
			return subject.done;
		};
		// An earlier case may have changed the robots that the cases share.
		return await attempt().catch(async () => {
			subject = undefined;
			return await attempt();
		});
	},
}));

const TYPE_ERROR =
	/\b(TypeError|RangeError|SyntaxError|undefined|NaN|\[object)\b|is not (a function|iterable)|Cannot (read|convert)|Maximum call|URI malformed/;

/** What is wrong with what an operation did; empty if nothing is. */
function problemsOf(execution: Execution, isEmpty: boolean, typed: boolean): string[] {
	const { error, items, hints } = execution;
	const texts = [error?.message, error?.description, ...hints.map(({ message }) => message)];
	const shown = texts.filter(Boolean).join('\n');
	const everything = inspect(execution, { depth: 30, showHidden: true, maxArrayLength: null });
	// An error contains the node's parameters, which contain the password.
	const output = `${shown} ${JSON.stringify(items)}`;
	const found = FORMS.flatMap((form) => [
		...(everything.includes(form(KEY)) ? [form(KEY)] : []),
		...(typed && output.includes(form(CUSTOMER.password)) ? [form(CUSTOMER.password)] : []),
	]);
	const rows = items.flat().map(({ json: row }) => row);
	const isCanceled = execution.run.status === 'canceled';
	return [
		...(isCanceled ? ['takes too long'] : []),
		...(TYPE_ERROR.test(shown) ? [`says ${TYPE_ERROR.exec(shown)?.[0]}: ${shown}`] : []),
		...(error && !/^Node(Api|Operation)Error$/.test(error.name) ? [`is a ${error.name}`] : []),
		...(error && !error.description ? ['does not say how to fix it'] : []),
		...found.map((secret) => `shows ${secret}`),
		...(isEmpty && !error && hints.length === 0 && rows.length === 0
			? ['succeeds without items']
			: []),
		...(rows.some((row) => Object.keys(row).length === 0) ? ['has an empty item'] : []),
		...(/"(undefined|NaN|\[object Object\])"/.test(JSON.stringify(rows))
			? ['has undefined in an item']
			: []),
	];
}

/** How many mutations to try on each kind of server, and which. */
const { TEST_MUTATIONS = '', TEST_SEED = '1', TEST_ONLY = '' } = process.env;
const LONG = { timeout: 3_600_000, retry: 0 };

afterEach(() => void vi.restoreAllMocks());

it.runIf(TEST_MUTATIONS !== '').each<[string, Fuzzed[]]>([
	['Maxun Cloud', CLOUD],
	['a self-hosted server', SELF_HOSTED],
])('whatever %s answers, each operation ends well', LONG, async (_, fuzzed) => {
	const all: Array<{ operation: Fuzzed; endpoint: string; mutation: string; isBare: boolean }> = [];
	for (const operation of fuzzed.filter(({ name }) => name.includes(TEST_ONLY))) {
		const execution = await operation.run(() => mutator.begin());
		const isBare = execution.items.flat().length === 0;
		for (const endpoint of mutator.used)
			for (const mutation of Object.keys(MUTATIONS))
				all.push({ operation, endpoint, mutation, isBare });
	}
	const size = Math.min(Number(TEST_MUTATIONS), all.length);
	const drawing = fc.shuffledSubarray(all, { minLength: size, maxLength: size });
	const [chosen = []] = fc.sample(drawing, { seed: Number(TEST_SEED), numRuns: 1 });
	const printed = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write'));
	const wrong: string[] = [];
	for (const { operation, endpoint, mutation, isBare } of chosen) {
		const mutate = MUTATIONS[mutation];
		const execution = await operation.run(() => mutator.begin(endpoint, mutate));
		const isEmpty = mutation in EMPTY && !isBare;
		for (const problem of problemsOf(execution, isEmpty, operation.name.includes('createExtract')))
			wrong.push(`${operation.name}, ${endpoint}, ${mutation}: ${problem}`);
	}
	const logs = printed.flatMap(({ mock }) => mock.calls.map(([text]) => String(text))).join('');
	vi.restoreAllMocks();
	console.log(`${chosen.length} of ${all.length} cases`);
	for (const secret of [KEY, CUSTOMER.password].flatMap((text) => FORMS.map((form) => form(text))))
		expect(logs).not.toContain(secret);
	expect(wrong).toEqual([]);
});
