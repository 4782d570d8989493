import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MaxunFault } from '../../nodes/Maxun/http/fault';
import type { ServerKind } from '../../nodes/Maxun/servers';
import type { MaxunServer } from '../../nodes/Maxun/servers/types';
import { fakeServer, type FakeResponse } from './fakeServer.mts';

beforeEach(() => void vi.useFakeTimers());

const ROBOT = 'robot-1';
const RUN = 'run-1';
const URL_OF_PAGE = 'https://shop.example/';
const FILE = { data: Buffer.from('a'), fileName: 'a.pdf', mimeType: 'application/pdf' };
const SCHEDULE = { runEvery: 1, runEveryUnit: 'DAYS', timezone: 'UTC' };
const DEFINITION = {
	...{ url: URL_OF_PAGE, isChecked: true, lists: [], steps: [] },
	fields: [{ name: 'a', selector: 'h1', attribute: 'innerText' }],
};

type Call = (maxun: MaxunServer) => unknown;

/** What creates or starts something. */
const CREATIONS: Record<string, Call> = {
	'create a scrape robot': ({ robots }) => robots.create('scrape', { name: 'a', url: URL_OF_PAGE }),
	'create a crawl robot': ({ robots }) => robots.create('crawl', { name: 'a', url: URL_OF_PAGE }),
	'create a document robot': ({ robots }) => robots.createFromDocument('extract', FILE, {}),
	'create an extract robot': ({ extractRobots }) => extractRobots.create('a', DEFINITION),
	'copy a robot': ({ robots }) => robots.duplicate(ROBOT, URL_OF_PAGE),
	'create an agent': ({ agents }) => agents.create({ name: 'a', prompt: 'Get prices' }),
	'start a run': ({ runs }) => runs.start(ROBOT, {}),
};

/** What the documentation describes. */
const OTHERS: Record<string, Call> = {
	'read a robot': ({ robots }) => robots.get(ROBOT),
	'list robots': ({ robots }) => robots.list({}, 10),
	'page of robots': ({ robots }) => robots.page('', 0),
	'read an agent': ({ agents }) => agents.get(ROBOT),
	'list agents': ({ agents }) => agents.list(10),
	'list runs of an agent': ({ agents }) => agents.listRuns(ROBOT, {}, 10),
	'read a run': ({ runs }) => runs.get(RUN, [ROBOT]),
	'list runs': ({ runs }) => runs.list(ROBOT, {}, 10),
	'list active runs': ({ runs }) => runs.listActive?.(),
	'list ended runs': ({ runs }) =>
		runs.listEnded({ robotIds: [ROBOT], statuses: ['success'], limit: 10 }),
	'page of runs': ({ runs }) => runs.page(ROBOT, 0),
	'read a schedule': ({ schedules }) => schedules.get(ROBOT),
	'list schedules': ({ schedules }) => schedules.list(),
	'set a schedule': ({ schedules }) => schedules.set(ROBOT, SCHEDULE),
	'read the monitoring': ({ monitoring }) => monitoring.get(ROBOT),
	'change the monitoring': ({ monitoring }) => monitoring.update(ROBOT, { compareRuns: true }),
	'read a diff': ({ monitoring }) => monitoring.getDiff(RUN, undefined, ROBOT),
	'list webhooks': ({ webhooks }) => webhooks.list(ROBOT),
	'create a webhook': ({ webhooks }) => webhooks.create(ROBOT, { url: URL_OF_PAGE }),
	'change a webhook': ({ webhooks }) => webhooks.update(ROBOT, 'w', { active: false }),
	'read the account': ({ account }) => account.get(),
	'read the usage': ({ account }) => account.getUsage?.(),
	'read the limits': ({ account }) => account.getRateLimits?.(),
	'read the queue': ({ account }) => account.getQueue?.(),
	'describe a robot': ({ extractRobots }) => extractRobots.describe(ROBOT),
	'read lists': ({ extractRobots }) => extractRobots.readLists(ROBOT),
};

/** What may respond with nothing. */
const ANY: Record<string, Call> = {
	'change a robot': ({ robots }) => robots.update(ROBOT, { name: 'a' }),
	'delete a robot': ({ robots }) => robots.delete(ROBOT),
	'rename an agent': ({ agents }) => agents.rename(ROBOT, 'a'),
	'cancel a run': ({ runs }) => runs.cancel(RUN, ROBOT),
	'delete a run': ({ runs }) => runs.delete?.(RUN),
	'delete a schedule': ({ schedules }) => schedules.delete(ROBOT),
	'delete a webhook': ({ webhooks }) => webhooks.delete(ROBOT, 'w'),
	'test a webhook': ({ webhooks }) => webhooks.test?.(ROBOT, 'w'),
};

const deep = (levels: number, name = 'data'): unknown => {
	let value: unknown = {};
	for (let level = 0; level < levels; level++) value = { [name]: value };
	return value;
};

const BODIES: Record<string, unknown> = {
	nothing: '',
	'an empty object': {},
	'only success': { success: true },
	'a text': 'OK',
	'a number': 5,
	true: true,
	'a list of numbers': [5],
	'empty data': { data: {} },
	'data that is a text': { data: 'OK' },
	'a list of nulls as data': { data: [null, 5, 'a'] },
	'null fields': { data: { id: null, recording_meta: null, robotId: null } },
	'wrong types': { data: { id: {}, recording_meta: 5, robotId: {}, name: 5 } },
	'100,000 levels': deep(100_000),
	'a message with 100,000 levels': deep(100_000, 'message'),
	'many levels in a list': { data: [{ id: 'a', recording_meta: { id: 'a' }, x: deep(1_000) }] },
};

const ERRORS: Record<string, Omit<FakeResponse, 'body'>> = {
	'a redirect': { status: 302, headers: { location: '\ud83d'.repeat(9) } },
	'a redirect to nowhere': { status: 308, headers: { location: [5] } },
	'an unexpected success': { status: 226 },
	'a rejection': { status: 400 },
	'a wrong key': { status: 401 },
	'a ban': { status: 403 },
	'no entry': { status: 404 },
	'a conflict': { status: 409 },
	'a rate limit': { status: 429, headers: { 'retry-after': '1e9', date: 'never' } },
	'a server fault': { status: 500 },
	'a gateway': { status: 503, headers: { 'retry-after': '-1', date: '9'.repeat(99) } },
};

/** The fault or the value of a call whose requests all get this response. */
async function outcomeOf(kind: ServerKind, call: Call, response: FakeResponse): Promise<unknown> {
	const server = await fakeServer(kind, async () => ({ ...response }));
	const maxun = server.with({ maxRetries: 0, maxWait: 0 });
	let outcome: unknown = NOTHING;
	void Promise.resolve()
		.then(async () => await call(maxun))
		.catch((error: unknown) => error)
		.then((value) => (outcome = value));
	for (let minute = 0; outcome === NOTHING && minute < 60; minute++)
		await vi.advanceTimersByTimeAsync(60_000);
	return outcome;
}

const NOTHING = Symbol('nothing');

const KINDS: ServerKind[] = ['cloud', 'selfHosted'];

describe.each(KINDS)('a response that promises nothing (%s)', (kind) => {
	it.each(Object.keys(CREATIONS))('%s: the fault says that something may exist', async (name) => {
		for (const [form, body] of Object.entries(BODIES)) {
			const outcome = await outcomeOf(kind, CREATIONS[name] ?? (() => {}), { body });
			expect(outcome, form).toBeInstanceOf(MaxunFault);
			if (kind === 'cloud') expect(outcome, form).toMatchObject({ mayHaveHappened: true });
			expect(outcome, form).toMatchObject({ message: expect.stringMatching(/^\S.{9,200}$/) });
		}
	});

	it.each(Object.keys(OTHERS))('%s: the fault says what is missing', async (name) => {
		for (const [form, body] of Object.entries(BODIES)) {
			const outcome = await outcomeOf(kind, OTHERS[name] ?? (() => {}), { body });
			// An undocumented field may be any of these.
			const isKept = !(outcome instanceof Error) && /recording_meta/.test(JSON.stringify(outcome));
			if (outcome !== undefined && !isKept) expect(outcome, form).toBeInstanceOf(MaxunFault);
		}
	});

	it.each(Object.keys(ANY))('%s: nothing but a fault is thrown', async (name) => {
		for (const [form, body] of Object.entries(BODIES)) {
			const outcome = await outcomeOf(kind, ANY[name] ?? (() => {}), { body });
			if (outcome instanceof Error) expect(outcome, form).toBeInstanceOf(MaxunFault);
			expect(outcome, form).not.toBe(NOTHING);
		}
	});
});

describe.each(KINDS)('an error with any content (%s)', (kind) => {
	const calls = { ...CREATIONS, ...OTHERS, ...ANY };

	it.each(Object.keys(ERRORS))('%s is a fault', async (error) => {
		for (const [name, call] of Object.entries(calls)) {
			for (const [form, body] of Object.entries(BODIES)) {
				const outcome = await outcomeOf(kind, call, { ...ERRORS[error], body });
				const place = `${name}: ${form}`;
				if (outcome instanceof Error) expect(outcome, place).toBeInstanceOf(MaxunFault);
				expect(outcome, place).not.toBe(NOTHING);
			}
		}
	});
});
