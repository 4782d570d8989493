import { inspect } from 'node:util';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, type Execution } from '../helpers/engine/index.mts';
import { setSpeed } from '../helpers/engine/time.mts';
import type { ServerKind } from '../../nodes/Maxun/servers/index.ts';
import { locator, maxun } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { randomFrom } from '../simulation/random.mts';
import { CASES, QUICK } from './cases/index.mts';
import { formsOf, MODEL, MUTATIONS, PASSWORD, SECRET, UNEXPECTED } from './support/mutations.mts';
import { MutatingServer, type Recording } from './support/mutating.mts';
import { offers } from './support/offers.mts';
import { inputOf } from './support/operations.mts';
import { NO_PAUSE } from './support/self-hosted.mts';

// Each operation's responses are recorded once. Then executions get the same responses again, with a change in one of them.

/** How many responses of each kind of server are changed. More than 100 concern all operations. */
const COUNT = Number(process.env.TEST_MUTATIONS ?? 40);
const ARE_FEW = COUNT <= 100;
const FIRST_SEED = Number(process.env.TEST_SEED ?? 1);
const FEW =
	/^(agent: create|monitoring: get|robot: (get|update|duplicate|createScrape)|run: (start|getAll|runOnUrls)|schedule: get|web: (search|extractRows)|webhook: getAll)$/;

/** These take minutes. */
const SLOW = ['a bomb', 'a rate limit without end'];
const CHANGES = Object.entries(MUTATIONS).filter(([name]) => !ARE_FEW || !SLOW.includes(name));

const sandbox = useSandbox({
	settings: { ...QUICK.settings, selfHostedForm: 'observed', selfHostedSdk: 'newer' },
});
const server = new MutatingServer();
beforeAll(async () => await server.start(sandbox.url));
afterAll(server.stop);

interface Subject {
	name: string;
	parameters: INodeParameters;
	input: INodeExecutionData[];
	recording: Recording;
	items: string;
}

const credentialsAt = (kind: ServerKind, url: string, own?: { apiKey: string }) => ({
	...(kind === 'cloud'
		? sandbox.credentials({ baseUrl: `${url}/api/v1`, ...own })
		: sandbox.serverCredentials({ baseUrl: url, timezone: 'UTC', ...MODEL, ...own })),
	maxunWebsiteLoginApi: { user: 'ada', password: PASSWORD },
});

/** The items without the times and names that each execution has. */
const itemsOf = ({ items }: Execution) =>
	JSON.stringify(items.map((output) => output.map(({ json }) => json)))
		.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, 'time')
		.replace(/n8n \w+ until time \w{10}/g, 'name');

async function subjectsOf(kind: ServerKind): Promise<Subject[]> {
	const subjects: Subject[] = [];
	const offered = (await offers()).filter(
		({ displayOptions }) => displayOptions?.show?.server?.includes(kind) ?? true,
	);
	for (const { resource, operation, prepare } of CASES) {
		const name = `${resource}: ${operation}`;
		if (!offered.some(({ id }) => id === name) || (ARE_FEW && !FEW.test(name))) continue;
		const work = await prepare(sandbox, { teamId: '' });
		const given = { ...work.parameters };
		if (kind === 'selfHosted' && given.runId) {
			const { data } = await sandbox.owner.get(`/runs/${Object(given.runId).value}`);
			given.robotId = locator(String(data.robotId));
		}
		if (kind === 'selfHosted' && /^(agent|document|run|web)$/.test(resource))
			given.options = { ...Object(given.options), ...NO_PAUSE };
		const own = { server: kind, ...given, generalOptions: { maxRetries: 0 } };
		const parameters = maxun(resource, operation, own);
		const input = inputOf([work]);
		const { url, seen } = server.open();
		const credentials = credentialsAt(kind, url);
		const execution = await execute({ parameters, input, credentials });
		expect(execution.error, name).toBeUndefined();
		subjects.push({ name, parameters, input, recording: seen, items: itemsOf(execution) });
		await sandbox.control.settings({ slots: 5 });
		await sandbox.control.abortRuns(await sandbox.owner.activeRuns());
	}
	return subjects;
}

/** Their responses aren't documented, so that any success counts. */
const OPEN = /^(PATCH|DELETE) |\/document$|\/(cancel|abort|test)$/;

/** The others don't get the login. */
const LOGS_IN = /extractRows|createExtract|getChanges/;

/** Nothing shows which entries these contain. */
const OF_ANY = /^POST |\/(robots|agents|schedules|active|webhooks)$/;

/** How often a run is read at most. Only Maxun's own response ends the wait for it. */
const TIMES = 6;

/** What is wrong with an execution that gets a changed response. */
async function problemsOf(kind: ServerKind, subjects: Subject[], seed: number): Promise<string[]> {
	const random = randomFrom(seed);
	const pick = <T,>(list: T[]): T => list[Math.floor(random() * list.length)];
	const { name, parameters, input, recording, items } = pick(subjects);
	const line = pick([...recording.keys()]);
	const [change, { apply, isNonsense = false }] = pick(CHANGES);
	const from = Math.floor(random() * (recording.get(line)?.length ?? 1));
	const times = random() < 0.5 ? 1 : TIMES;
	const { url } = server.open({
		replayed: recording,
		mutate: (answer, request, count) =>
			request === line && count >= from && count < from + times
				? apply(answer, random, request)
				: undefined,
	});
	const credentials = credentialsAt(kind, url, { apiKey: SECRET });
	const execution = await execute({ parameters, input, credentials });
	const { error, hints, run } = execution;
	const shown = itemsOf(execution);
	const words = [error?.message, error?.description, ...hints.map(({ message }) => message)];
	const stored = JSON.stringify(run) + inspect(error, { depth: 12, showHidden: true });
	const secrets = [SECRET];
	if (kind === 'selfHosted') secrets.push(MODEL.llmApiKey);
	if (LOGS_IN.test(name)) secrets.push(PASSWORD);
	const isDone = !error && run.status === 'success' && shown !== items;
	const isOther = change === "another entry's IDs" && !OF_ANY.test(line);
	const problems = {
		'unexpected words': UNEXPECTED.test(`${words.join(' ')}${shown}`),
		'an error of another kind': error && !/^Node(Api|Operation)Error$/.test(error.name),
		'an error without advice': error && !(error.message.length > 11 && error.description),
		'a secret': secrets.flatMap(formsOf).some((form) => stored.includes(form)),
		'a success without what Maxun promises': isDone && isNonsense && !OPEN.test(line),
		"a success with another entry's data": isDone && isOther && !OPEN.test(line),
	};
	return Object.entries(problems)
		.filter(([, isTrue]) => isTrue)
		.map(([problem]) => `${seed} ${name}, ${line}, ${change}: ${problem}. ${words.join(' ')}`);
}

it.each<ServerKind>(['cloud', 'selfHosted'])(
	'a wrong response causes a clear error, and never looks like success (%s)',
	async (kind) => {
		const subjects = await subjectsOf(kind);
		const problems: string[] = [];
		let next = FIRST_SEED;
		const play = async () => {
			while (next < FIRST_SEED + COUNT)
				problems.push(...(await problemsOf(kind, subjects, next++)));
		};
		setSpeed(60);
		await Promise.all(Array.from({ length: 8 }, play)).finally(() => setSpeed());
		expect(problems).toEqual([]);
	},
	3_600_000,
);
