import { inspect } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ServerKind } from '../../nodes/Maxun/servers/index.ts';
import { setSpeed } from '../helpers/engine/time.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { KEYS } from '../sandbox/index.mts';
import { randomFrom } from '../simulation/random.mts';
import { formsOf, MODEL, MUTATIONS, SECRET, UNEXPECTED } from './support/mutations.mts';
import { MutatingServer } from './support/mutating.mts';
import { announce, MINUTE, polled, runIdsOf, useTriggers } from './support/triggers.mts';
import { warnings } from './support/warnings.mts';

// A trigger is published, polls, receives an event and is unpublished. In one of these steps, something has changed responses.

const COUNT = Number(process.env.TEST_MUTATIONS ?? 20);
const FIRST_SEED = Number(process.env.TEST_SEED ?? 1);

/** The first takes a long time, and the second real time, while the time of this test is faster. */
const LEFT_OUT = COUNT > 100 ? ['a bomb'] : ['a rate limit without end', 'a bomb'];
const CHANGES = Object.entries(MUTATIONS).filter(([name]) => !LEFT_OUT.includes(name));

const STEPS = ['publish', 'poll', 'deliver', 'unpublish'] as const;

const HANGS = 60 * MINUTE;

const { sandbox, triggers } = useTriggers({ settings: { selfHostedForm: 'observed' } });
const server = new MutatingServer();
beforeAll(async () => await server.start(sandbox.url));
afterAll(server.stop);

async function problemsOf(kind: ServerKind, seed: number, told: string[]): Promise<string[]> {
	const random = randomFrom(seed);
	const pick = <T,>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
	const changed = pick(STEPS);
	const [change, { apply }] = pick(CHANGES);
	const from = Math.floor(random() * 4);
	const times = pick([1, 2, 30]);
	let step: (typeof STEPS)[number] | undefined;
	let count = 0;
	const lines: string[] = [];
	const { url } = server.open({
		apiKey: String(KEYS.owner),
		mutate: (answer, request) => {
			if (step !== changed || count++ < from || count > from + times) return undefined;
			lines.push(request);
			return apply(answer, random, request);
		},
	});
	const robotId = await newRobot(sandbox);
	const name = `Trigger ${kind} ${seed}.`;
	// Events don't announce canceled runs, so each poll lists runs.
	const parameters = { server: kind, events: ['run_completed', 'run_canceled'] };
	const credentials =
		kind === 'cloud'
			? sandbox.credentials({ baseUrl: `${url}/api/v1`, apiKey: SECRET })
			: sandbox.serverCredentials({ ...MODEL, baseUrl: url, apiKey: SECRET, timezone: 'UTC' });
	const host = await triggers.host([robotId], parameters, { credentials, node: { name } });
	const errors: unknown[] = [];
	let hangs = false;
	const play = async (now: (typeof STEPS)[number], work: () => Promise<unknown>) => {
		step = now;
		const working = work().catch((error: unknown) => void errors.push(error));
		const late = sleep(HANGS, 'late', { ref: false });
		hangs ||= (await Promise.race([working, late])) === 'late';
		step = undefined;
	};
	await play('publish', async () => await host.activate());
	// Somebody tries again.
	if (errors.length > 0) await host.activate();
	const own = async () => (await triggers.endedRuns(robotId))[0];
	const runs = [await own()];
	await play('poll', async () => await polled(host));
	runs.push(await own());
	await play('deliver', async () => await announce(host, robotId, runs[1]));
	const isMissing = () => runs.some((id) => !runIdsOf(host.emitted).includes(id));
	for (let poll = 0; poll < 3 && isMissing(); poll++) await host.poll();
	await play('unpublish', async () => await host.deactivate());
	const log = told.filter((line) => line.startsWith(name));
	const webhooks =
		kind === 'cloud' ? await triggers.webhooks(robotId) : await sandbox.server.webhooks(robotId);
	const isOn = webhooks.some(
		({ active, url: target }) => active && String(target).startsWith(host.url),
	);
	await host.close();
	const shown = [host.emitted, log, host.deliveries, host.staticData.load()];
	const words = errors.map((error) => `${String(error)}. ${Object(error).description ?? ''}`);
	const stored = JSON.stringify(shown) + inspect(errors, { depth: 12, showHidden: true });
	const secrets = [SECRET, ...(kind === 'selfHosted' ? [MODEL.llmApiKey] : [])];
	// Maxun says that the robot is gone, or a self-hosted server has stored these IDs with its webhooks.
	const isLost =
		change === 'no entry' || (kind === 'selfHosted' && change === "the asked entry's IDs");
	const said = [...words, JSON.stringify([host.emitted, log])].join(' ');
	const at = `${seed} ${changed}, ${lines.join(', ')} (${from}, ${times}), ${change}`;
	const problems = {
		hangs,
		'unexpected words': UNEXPECTED.test(said.replace(/Node(Api|Operation)Error:/g, '')),
		'a secret': secrets.flatMap(formsOf).some((form) => stored.includes(form)),
		'a lost run': isMissing(),
		'a webhook that is on': isOn && !isLost && !/remains on|may still send/.test(log.join()),
	};
	return Object.entries(problems)
		.filter(([, isTrue]) => isTrue)
		.map(([problem]) => `${at}: ${problem}. ${said}`);
}

it.each<ServerKind>(['cloud', 'selfHosted'])(
	'whatever comes instead of a response, the trigger loses no run and leaves no webhook on (%s)',
	async (kind) => {
		const told = warnings();
		const problems: string[] = [];
		let next = FIRST_SEED;
		const play = async () => {
			while (next < FIRST_SEED + COUNT) problems.push(...(await problemsOf(kind, next++, told)));
		};
		setSpeed(60);
		await Promise.all(Array.from({ length: 8 }, play)).finally(() => setSpeed());
		expect(problems).toEqual([]);
	},
	3_600_000,
);
