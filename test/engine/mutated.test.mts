import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { expect } from 'vitest';
import { execute, type Execution } from '../helpers/engine/index.mts';
import type { ServerKind } from '../../nodes/Maxun/servers/index.ts';
import { locator, maxun } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { CASES, QUICK } from './cases/index.mts';
import { PASSWORD } from './support/mutations.mts';
import { useMutations, type Recording } from './support/mutating.mts';
import { offers } from './support/offers.mts';
import { inputOf } from './support/operations.mts';
import { NO_PAUSE } from './support/self-hosted.mts';

// Each operation's responses are recorded once. Then executions get the same responses again, with a change in one of them.

const FEW =
	/^(agent: create|monitoring: get|robot: (get|update|duplicate|createScrape)|run: (start|getAll|runOnUrls)|schedule: get|web: (search|extractRows)|webhook: getAll)$/;

const sandbox = useSandbox({
	settings: { ...QUICK.settings, selfHostedForm: 'observed', selfHostedSdk: 'newer' },
});
const { areFew, server, credentialsAt, fuzz } = useMutations(sandbox, 40);

interface Subject {
	name: string;
	parameters: INodeParameters;
	input: INodeExecutionData[];
	recording: Recording;
	items: string;
}

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
		if (!offered.some(({ id }) => id === name) || (areFew && !FEW.test(name))) continue;
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

/** Their responses aren't documented, so any success counts. */
const OPEN = /^(PATCH|DELETE) |\/document$|\/(cancel|abort|test)$/;

/** The others don't get the login. */
const LOGS_IN = /extractRows|createExtract|getChanges/;

/** Nothing shows which entries these contain. */
const OF_ANY = /^POST |\/(robots|agents|schedules|active|webhooks)$/;

/** How often a run is read at most. Only Maxun's own response ends the wait for it. */
const TIMES = 6;

fuzz(
	'a wrong response causes a clear error, and never looks like success',
	subjectsOf,
	async ({ random, pick, name: change, change: { isNonsense = false }, open }, subjects) => {
		const { name, parameters, input, recording, items } = pick(subjects);
		const line = pick([...recording.keys()]);
		const from = Math.floor(random() * (recording.get(line)?.length ?? 1));
		const to = from + (random() < 0.5 ? 1 : TIMES);
		const credentials = open(
			{ replayed: recording },
			(request, count) => request === line && count >= from && count < to,
		);
		const execution = await execute({ parameters, input, credentials });
		const { error, hints, run } = execution;
		const shown = itemsOf(execution);
		const words = [error?.message, error?.description, ...hints.map(({ message }) => message)];
		const isDone = !error && run.status === 'success' && shown !== items && !OPEN.test(line);
		const isOther = change === "another entry's IDs" && !OF_ANY.test(line);
		const problems = {
			'an error of another kind': error && !/^Node(Api|Operation)Error$/.test(error.name),
			'an error without advice': error && !(error.message.length > 11 && error.description),
			'a success without what Maxun promises': isDone && isNonsense,
			"a success with another entry's data": isDone && isOther,
		};
		const at = `${name}, ${line}, ${change}`;
		const secrets = LOGS_IN.test(name) ? [PASSWORD] : [];
		return { at, said: words.join(' ') + shown, stored: [run], errors: error, secrets, problems };
	},
);
