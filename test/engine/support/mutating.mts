import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ServerKind } from '../../../nodes/Maxun/servers/index.ts';
import { setSpeed } from '../../helpers/engine/time.mts';
import { closeServer, listen } from '../../helpers/listen.mts';
import type { TestSandbox } from '../../helpers/sandbox.mts';
import { randomFrom } from '../../simulation/random.mts';
import { formsOf, MODEL, MUTATIONS, PASSWORD, SECRET, UNEXPECTED } from './mutations.mts';
import type { Answer } from './mutations.mts';

/** Responses by request. */
export type Recording = Map<string, Answer[]>;

/** Without a recording, Maxun itself responds. */
interface History {
	replayed?: Recording;
	/** What Maxun gets instead of n8n's API key. */
	apiKey?: string;
	/** @param count how many equal requests came before */
	mutate?(answer: Answer, request: string, count: number): Partial<Answer> | undefined;
}

const HEADERS = ['content-type', 'authorization', 'x-api-key', 'x-team-id'];
const MISSING: Answer = { status: 404, body: { success: false, error: 'Not found' } };

/** A server between n8n and Maxun. Each history has its own base URL, so that many can be played at the same time. */
class MutatingServer {
	private readonly histories: Array<History & { seen: Recording }> = [];
	private readonly server = createServer((request, response) => {
		this.handle(request, response).catch(() => response.destroy());
	});
	private origin = '';
	private target = '';

	async start(target: string): Promise<void> {
		this.target = target;
		this.origin = `http://127.0.0.1:${await listen(this.server)}`;
	}

	readonly stop = async (): Promise<void> => await closeServer(this.server);

	open(history: History = {}): { url: string; seen: Recording } {
		const seen: Recording = new Map();
		return { url: `${this.origin}/${this.histories.push({ ...history, seen }) - 1}`, seen };
	}

	private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const [, at, path = ''] = /^\/(\d+)(.*)$/.exec(request.url ?? '') ?? [];
		const { replayed, apiKey, mutate, seen } = this.histories[Number(at)];
		const line = `${request.method} ${path.replace(/\?.*$/, '')}`;
		const earlier = seen.get(line) ?? [];
		const recorded = replayed?.get(line) ?? [];
		const body = await buffer(request);
		const answer = replayed
			? (recorded[earlier.length] ?? recorded.at(-1) ?? MISSING)
			: await this.forward(request, path, body, apiKey);
		seen.set(line, [...earlier, answer]);
		await send(response, { ...answer, ...mutate?.(answer, line, earlier.length) });
	}

	private async forward(
		{ method, headers: given }: IncomingMessage,
		path: string,
		content: Buffer,
		apiKey?: string,
	): Promise<Answer> {
		const sent = HEADERS.filter((name) => given[name]).map((name) => {
			const value = String(given[name]);
			return [name, apiKey === undefined ? value : value.replace(SECRET, apiKey)];
		});
		const body = content.length > 0 ? new Uint8Array(content) : undefined;
		const headers = Object.fromEntries(sent);
		const response = await fetch(this.target + path, { method, headers, body });
		const text = await response.text();
		return { status: response.status, body: /^[[{]/.test(text) ? JSON.parse(text) : text };
	}
}

const DROPS = 20;

async function send(response: ServerResponse, { status, headers, body, arrival }: Answer) {
	if (arrival === 'reset') return void response.destroy();
	const content = Buffer.isBuffer(body)
		? body
		: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
	const { length } = content;
	response.writeHead(status, {
		'content-type': 'application/json',
		'content-length': length,
		...headers,
	});
	if (arrival === 'cut') {
		return void response.write(content.subarray(0, length / 2), () => response.destroy());
	}
	const size = arrival === 'in drops' ? Math.ceil(length / DROPS) || 1 : length;
	for (let at = 0; at < length; at += size) {
		response.write(content.subarray(at, at + size));
		if (size < length) await sleep(100);
	}
	response.end();
}

/** These take minutes. */
const SLOW = ['a bomb', 'a rate limit without end'];

/** What a seed's change leads to. `problems` says which other problems exist. */
interface Shown {
	at: string;
	said: string;
	stored: unknown[];
	errors: unknown;
	secrets?: string[];
	problems: Record<string, unknown>;
}

/** Changes what a sandbox responds. @param usual how many responses of each kind of server; more than 100 concern everything */
export function useMutations(sandbox: TestSandbox, usual: number, neverChanged: string[] = []) {
	const count = Number(process.env.TEST_MUTATIONS ?? usual);
	const areFew = count <= 100;
	const leftOut = areFew ? SLOW : neverChanged;
	const changes = Object.entries(MUTATIONS).filter(([name]) => !leftOut.includes(name));
	const server = new MutatingServer();
	beforeAll(async () => await server.start(sandbox.url));
	afterAll(server.stop);

	const credentialsAt = (kind: ServerKind, url: string, own?: { apiKey: string }) => ({
		...(kind === 'cloud'
			? sandbox.credentials({ baseUrl: `${url}/api/v1`, ...own })
			: sandbox.serverCredentials({ baseUrl: url, timezone: 'UTC', ...MODEL, ...own })),
		maxunWebsiteLoginApi: { user: 'ada', password: PASSWORD },
	});

	/** What a seed determines. `open` is for a history with the change where it applies. */
	const draw = (kind: ServerKind, seed: number) => {
		const random = randomFrom(seed);
		const pick = <T,>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
		const [name, change] = pick(changes);
		const open = (history: History, applies: (request: string, count: number) => boolean) => {
			const mutate: History['mutate'] = (answer, request, count) =>
				applies(request, count) ? change.apply(answer, random, request) : undefined;
			return credentialsAt(kind, server.open({ ...history, mutate }).url, { apiKey: SECRET });
		};
		return { kind, seed, random, pick, name, change, open };
	};

	const fuzz = <T,>(
		title: string,
		begin: (kind: ServerKind) => T | Promise<T>,
		play: (drawn: ReturnType<typeof draw>, begun: T) => Promise<Shown>,
	) =>
		it.each<ServerKind>(['cloud', 'selfHosted'])(
			`${title} (%s)`,
			{ timeout: 3_600_000 },
			async (kind) => {
				const begun = await begin(kind);
				const first = Number(process.env.TEST_SEED ?? 1);
				const seeds = Array.from({ length: count }, (_, index) => first + index);
				const found: string[] = [];
				const work = async () => {
					for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift())
						found.push(...problemsOf(kind, seed, await play(draw(kind, seed), begun)));
				};
				setSpeed(60);
				await Promise.all(Array.from({ length: 8 }, work)).finally(() => setSpeed());
				expect(found).toEqual([]);
			},
		);
	return { areFew, server, credentialsAt, fuzz };
}

function problemsOf(kind: ServerKind, seed: number, { at, said, ...shown }: Shown): string[] {
	const text =
		JSON.stringify(shown.stored) + inspect(shown.errors, { depth: 12, showHidden: true });
	const secrets = [
		SECRET,
		...(kind === 'selfHosted' ? [MODEL.llmApiKey] : []),
		...(shown.secrets ?? []),
	];
	const problems = {
		...shown.problems,
		'unexpected words': UNEXPECTED.test(said),
		'a secret': secrets.flatMap(formsOf).some((form) => text.includes(form)),
	};
	const found = Object.entries(problems).filter(([, isTrue]) => isTrue);
	return found.map(([problem]) => `${seed} ${at}: ${problem}. ${said.slice(0, 2_000)}`);
}
