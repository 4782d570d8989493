import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { TestSandbox } from '../helpers/sandbox.mts';
import { Clock } from './clock.mts';
import { cloudServer } from './maxun/cloud.mts';
import { fieldsOf } from './maxun/router.mts';
import { selfHostedServer } from './maxun/selfHosted.mts';
import { Service, type ServiceSettings } from './maxun/service.mts';
import { Network, type Response } from './network.mts';
import { KEYS } from './origins.mts';

// The simulated Maxun is simpler than the sandbox, but must never respond differently. The same requests get the same
// statuses, and every field has the same type as in the sandbox. Recordings check the sandbox.

type Answer = Pick<Response, 'status' | 'body'>;

type Send = (method: string, path: string, body?: object) => Promise<Answer>;

/** Lets this many milliseconds pass on the server. */
type Wait = (milliseconds: number) => Promise<void>;

type Script = (send: Send, wait: Wait, site: string) => Promise<void>;

/** A value in a body, by its path, such as `data.id`. */
function valueAt(body: unknown, path: string): string {
	const value = path.split('.').reduce<unknown>((at, name) => {
		return Array.isArray(at) ? at[Number(name)] : fieldsOf(at)[name];
	}, body);
	if (typeof value === 'string') return value;
	throw new Error(`There is no ${path} in ${JSON.stringify(body)}`);
}

const cloud: Script = async (send, wait, site) => {
	const url = `${site}/articles`;
	const created = await send('POST', '/robots/scrape', { url, name: 'One', formats: ['text'] });
	const robot = `/robots/${valueAt(created.body, 'data.id')}`;
	await send('POST', '/robots/scrape', { url, name: 'One', formats: ['text'] });
	await send('GET', robot);
	await send('PATCH', robot, { name: 'Two' });
	await send('GET', '/robots?q=Two&limit=1');
	const copy = await send('POST', `${robot}/duplicate`, { url, name: 'Copy' });
	await send('DELETE', `/robots/${valueAt(copy.body, 'data.id')}`);
	const started = await send('POST', `${robot}/runs`);
	const run = `/runs/${valueAt(started.body, 'id')}`;
	await send('GET', '/runs/active');
	await send('DELETE', robot);
	await wait(10_000);
	await send('GET', run);
	await send('GET', `${robot}/runs?limit=1`);
	await send('GET', '/runs?limit=1&status=success,failed');
	await send('POST', `${run}/cancel`);
	const hook = await send('POST', `${robot}/webhooks`, { url: 'https://example.com/hook' });
	const webhook = `${robot}/webhooks/${valueAt(hook.body, 'data.id')}`;
	await send('PATCH', webhook, { active: false });
	await send('GET', `${robot}/webhooks`);
	await send('DELETE', webhook);
	await send('DELETE', webhook);
	await send('DELETE', robot);
	for (const path of [robot, run, '/robots/none/runs', '/agents/none']) await send('GET', path);
	const agent = await send('POST', '/agents', { prompt: 'Read the products', url });
	await send('GET', `/agents/${valueAt(agent.body, 'data.id')}`);
};

const selfHosted: Script = async (send, wait, site) => {
	const url = `${site}/articles`;
	const meta = { name: 'One', type: 'scrape', url, formats: ['text'] };
	const created = await send('POST', '/sdk/robots', { meta, workflow: [] });
	const id = valueAt(created.body, 'data.recording_meta.id');
	const [robot, stored] = [`/robots/${id}`, `/sdk/robots/${id}`];
	await send('GET', robot);
	await send('GET', stored);
	await send('PUT', stored, { meta: { name: 'Two' } });
	const times = { retryAttempts: 3, retryDelay: 5, timeout: 30 };
	const webhook = { id: 'w', url: 'https://example.com/hook', events: [], active: true, ...times };
	await send('PUT', stored, { webhooks: [webhook] });
	await send('GET', '/robots');
	await send('GET', '/sdk/robots');
	await send('POST', `${robot}/duplicate`, { targetUrl: `${site}/products` });
	await send('POST', `${robot}/duplicate`, { targetUrl: 'nothing' });
	const started = send('POST', `${robot}/runs`);
	await wait(10_000);
	const runId = valueAt((await started).body, 'run.runId');
	await send('GET', `${robot}/runs/${runId}`);
	await send('GET', `${robot}/runs`);
	await send('GET', `${stored}/runs/${runId}`);
	await send('POST', `${stored}/runs/${runId}/abort`);
	await send('DELETE', stored);
	for (const path of [robot, stored, `${robot}/runs`, `${robot}/runs/${runId}`]) {
		await send('GET', path);
	}
	await send('POST', `${robot}/runs`);
	await send('DELETE', stored);
};

/** Fields whose content depends on what a robot captures, or only on the sandbox's own state. */
const OPEN = /\.(data|log|workflow|interpreterSettings|message|error)$/;

/** All fields with their types, such as `.data[].id is string`. */
function typesOf(value: unknown, path = ''): string[] {
	if (Array.isArray(value)) return value.flatMap((entry) => typesOf(entry, `${path}[]`));
	if (typeof value !== 'object' || value === null) {
		return [`${path} is ${value === null ? 'null' : typeof value}`];
	}
	return Object.entries(value).flatMap(([name, entry]) =>
		OPEN.test(`${path}.${name}`) && path !== '' ? [] : typesOf(entry, `${path}.${name}`),
	);
}

/** Types that only the first body has. Fields that may be null in either body don't count. */
function differencesOf(body: unknown, other: unknown): string[] {
	const types = typesOf(other);
	const mayBeNull = (type: string) => types.includes(type.replace(/ is \w+$/, ' is null'));
	return [...new Set(typesOf(body))].filter(
		(type) => !type.endsWith(' is null') && !types.includes(type) && !mayBeNull(type),
	);
}

/** Plays a script. @returns the responses, each with its request without IDs */
async function play(script: Script, send: Send, wait: Wait, site: string) {
	const answers: Array<Answer & { request: string }> = [];
	const noting: Send = async (method, path, body) => {
		const answer = await send(method, path, body);
		const request = `${method} ${path.replace(/[\w-]*\d[\w-]*(?=\/|$)/g, ':id')}`;
		answers.push({ ...answer, request });
		return answer;
	};
	await script(noting, wait, site);
	return answers;
}

const SETTINGS: ServiceSettings = { slots: 2, lag: 0, deliveries: 'snake', rateLimit: 1000 };

/** Plays a script on the simulated server, in simulated time. */
async function simulate(script: Script, kind: typeof cloudServer, root: string) {
	const clock = new Clock();
	const server = kind(new Service(clock, new Network(clock, Math.random), { ...SETTINGS }));
	const headers = { 'x-api-key': KEYS.own };
	const send: Send = async (method, path, body) => {
		const url = new URL(`https://maxun.test${root}${path}`);
		const { status, body: text } = await server({ method, url, headers, body });
		return { status, body: JSON.parse(typeof text === 'string' ? text : JSON.stringify(text)) };
	};
	const wait: Wait = async (milliseconds) => await clock.pause(milliseconds);
	let isDone = false;
	const playing = play(script, send, wait, 'https://pages.test').finally(() => (isDone = true));
	// The script has its own timers, so the clock runs until the last timer.
	try {
		await clock.run(Infinity, () => isDone);
	} finally {
		clock.close();
	}
	return await playing;
}

/** Plays a script on the sandbox, in real time. */
async function playOn(sandbox: TestSandbox, script: Script, client: 'owner' | 'server') {
	const send: Send = async (method, path, body) => {
		const { status, json } = await sandbox[client].send(method, path, body);
		return { status, body: json };
	};
	// Its runs take three seconds.
	const wait: Wait = async () => await sleep(6_000);
	return await play(script, send, wait, sandbox.siteUrl);
}

const KINDS = {
	'Maxun Cloud': { script: cloud, server: cloudServer, root: '/api/v1', client: 'owner' },
	'a self-hosted server': {
		script: selfHosted,
		server: selfHostedServer,
		root: '/api',
		client: 'server',
	},
} as const;

describe('the simulated Maxun responds like the sandbox', () => {
	const expected = new Map<string, Array<Answer & { request: string }>>();

	// The sandbox needs real time, so it is closed before the simulation takes the clock.
	beforeAll(async () => {
		const sandbox = await TestSandbox.start({
			settings: { runSeconds: 3, selfHostedForm: 'observed' },
		});
		for (const [kind, { script, client }] of Object.entries(KINDS)) {
			expected.set(kind, await playOn(sandbox, script, client));
		}
		await sandbox.stop();
	});

	it.each(Object.entries(KINDS))('on %s', async (kind, { script, server, root }) => {
		const real = expected.get(kind) ?? [];
		const simulated = await simulate(script, server, root);
		const statusesOf = (answers: typeof real) =>
			answers.map(({ request, status }) => `${request} ${status}`);
		expect(statusesOf(simulated)).toEqual(statusesOf(real));
		const differences = simulated.flatMap(({ request, body }, index) =>
			differencesOf(body, real[index]?.body).map((difference) => `${request}: ${difference}`),
		);
		expect(differences).toEqual([]);
	});
});
