import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { NodeHelpers } from 'n8n-workflow';
import type { INode, INodeParameters, INodeTypeDescription } from 'n8n-workflow';
import { format, resolveConfig } from 'prettier';
import { beforeAll, it } from 'vitest';
import { z } from 'zod';
import { CASES } from '../engine/cases/index.mts';
import { inputOf, type OperationCase } from '../engine/support/operations.mts';
import { loadPackage, ACTION_NODE } from '../helpers/engine/index.mts';
import { credentialReferences } from '../helpers/engine/credentials.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { PROJECT, readJson } from '../host/files.mts';
import { DEMO } from '../sandbox/index.mts';
import {
	outcomeOf,
	restore,
	SLOW,
	startHost,
	storedData,
	type SavedExecution,
} from './executions.mts';
import { effectOf, QUICK, SERVERS, type SavedOperation, type Server } from './operations.mts';
import { allParameters } from './parameters.mts';
import { ORIGINS, SavedSandbox, writeText } from './release.mts';
import { startTrigger, type SavedTrigger } from './triggers.mts';

// `npm run upgrades` writes what this version stores. See README.md.

let version: string;
let description: INodeTypeDescription;

beforeAll(async () => {
	version = String(Object(await readJson(join(PROJECT, 'package.json'))).version);
	mkdirSync(join(import.meta.dirname, version), { recursive: true });
	const { nodeTypes } = await loadPackage();
	({ description } = nodeTypes.getByNameAndVersion(ACTION_NODE));
});

async function write(name: string, content: object): Promise<void> {
	const options = { ...(await resolveConfig(import.meta.filename)), parser: 'json' };
	writeText(version, name, await format(JSON.stringify(content), options));
}

/** A node as n8n's editor saves it. */
function saved(parameters: INodeParameters, more: Partial<INode> = {}): INode {
	const node: INode = {
		id: 'node',
		name: 'Maxun',
		type: ACTION_NODE,
		typeVersion: 1,
		position: [200, 0],
		parameters,
		credentials: credentialReferences({
			[parameters.server === 'selfHosted' ? 'maxunSelfHostedApi' : 'maxunCloudApi']: {},
		}),
		...more,
	};
	const { properties } = description;
	const changed = NodeHelpers.getNodeParameters(
		properties,
		parameters,
		false,
		false,
		node,
		description,
	);
	return { ...node, parameters: changed ?? {} };
}

/** Whether a kind of server has the operation. */
const isOffered = (resource: string, value: string, server: Server) =>
	description.properties
		.filter(({ name, displayOptions }) => {
			return name === 'operation' && displayOptions?.show?.resource?.includes(resource);
		})
		.flatMap(({ options = [] }) => options)
		.flatMap((option) => ('value' in option && option.value === value ? [option] : []))
		.some(({ displayOptions }) => displayOptions?.show?.server?.includes(server) ?? true);

const State = z.object({ runs: z.array(z.object({ id: z.string(), robotId: z.string() })) });

/** The robot whose run an operation uses. Self-hosted servers need it. */
const robotOf = ({ runId }: INodeParameters, state: string) =>
	State.parse(JSON.parse(state)).runs.find(({ id }) => id === Object(runId).value)?.robotId;

/** Operations whose runs stay in the queue. */
const isQueued = ({ resource, operation }: OperationCase) =>
	resource === 'run' && ['getActive', 'cancel'].includes(operation);

/**
 * The order of operations: first those that need the queue, then those that only read, so that other operations haven't
 * added anything yet.
 */
const orderOf = (entry: OperationCase) =>
	isQueued(entry) ? 0 : Number(!entry.operation.startsWith('get')) + 1;

it('stores a node for each operation', async () => {
	const sandbox = await SavedSandbox.create();
	await sandbox.begin(QUICK);
	const prepared = [];
	for (const entry of [...CASES].reverse().sort((a, b) => orderOf(b) - orderOf(a))) {
		const work = await entry.prepare(sandbox, { teamId: '' });
		const text = JSON.stringify(work.parameters).replaceAll(sandbox.url, ORIGINS.sandbox);
		const parameters: INodeParameters = JSON.parse(text);
		prepared.unshift({ ...entry, parameters, input: inputOf([{ ...work, parameters: {} }]) });
	}
	const state = await sandbox.save();
	const operations: SavedOperation[] = [];
	for (const server of SERVERS) {
		await sandbox.begin({ ...QUICK, slots: 0 }, state);
		for (const { parameters, input, ...operation } of prepared) {
			const { resource, operation: value } = operation;
			if (!isOffered(resource, value, server)) continue;
			const robotId = server === 'selfHosted' && robotOf(parameters, state);
			const entry = {
				name: `${resource}: ${value}`,
				server,
				node: saved(
					maxun(resource, value, {
						...(robotId && { robotId: locator(robotId) }),
						...parameters,
						server,
					}),
				),
				input,
				isQueued: isQueued(operation),
			};
			operations.push({ ...entry, effect: await effectOf(sandbox, entry, state) });
		}
		await sandbox.stop();
	}
	await sandbox.remove();
	await write('operations', { at: Date.now(), saved: operations });
	await write('operations.sandbox', JSON.parse(state));
});

it('stores all parameters', async () => {
	await write('parameters', await allParameters());
});

/** Executions that pause: parameters and input. */
const PAUSING = {
	/** Items that have ended, that have failed, and that are waiting. */
	'several items': {
		server: 'cloud',
		parameters: maxun('run', 'runAndWait', {
			output: 'simplified',
			robotId: locator('={{ $json.robotId }}'),
			options: { pauseAfter: 3 },
		}),
		robots: [DEMO.article, 'missing', DEMO.products],
		ended: 1,
	},
	'a temporary robot': {
		server: 'cloud',
		parameters: maxun('web', 'scrape', {
			url: `${ORIGINS.sandbox}/site/products`,
			formats: ['markdown'],
			options: { pauseAfter: 1 },
		}),
		robots: [''],
		ended: 0,
	},
	/** Items whose runs have not started. */
	'a self-hosted server': {
		server: 'selfHosted',
		parameters: maxun('run', 'runAndWait', {
			output: 'simplified',
			server: 'selfHosted',
			robotId: locator('={{ $json.robotId }}'),
			options: { pauseAfter: 1, delayBeforeStart: 0 },
		}),
		robots: [DEMO.article, DEMO.products, DEMO.article],
		ended: 0,
	},
} as const;

it('stores paused executions', async () => {
	const executions: Record<string, SavedExecution> = {};
	const states: Record<string, unknown> = {};
	for (const [name, { server, parameters, robots, ended }] of Object.entries(PAUSING)) {
		const sandbox = await SavedSandbox.create();
		const node = saved(parameters, { onError: 'continueErrorOutput' });
		const host = await startHost({ server, node }, sandbox);
		await sandbox.begin(SLOW);
		const id = host.start(robots.map((robotId) => ({ robotId })));
		for (let run = 0; run < ended; run++) {
			await sandbox.control.finishRun(await sandbox.owner.startedRun());
		}
		await host.reaches(id, ['waiting']);
		const data = storedData(host, id, sandbox);
		const state = await sandbox.save();
		const execution = { at: Date.now(), server, node, data };
		await sandbox.remove();
		const restored = await restore(execution, state);
		const outcome = await outcomeOf(restored, state).finally(restored.close);
		executions[name] = { ...execution, outcome };
		states[name] = JSON.parse(state);
	}
	await write('executions', executions);
	await write('executions.sandbox', states);
});

it('stores the static data of the trigger', async () => {
	const sandbox = await SavedSandbox.create();
	await sandbox.begin({});
	const robotId = await newRobot(sandbox);
	const host = await startTrigger(sandbox, { robotId });
	await host.activate();
	const processed = [String((await sandbox.owner.run(robotId)).id)];
	await host.waitForItems(1);
	await host.close();
	const finishedAt = new Date(Date.now() + 1000).toISOString();
	const missed = await sandbox.control.runs({
		robotId,
		run: { startedAt: finishedAt, finishedAt },
	});
	const inFiles = (text: string) =>
		text.replaceAll(host.origin, ORIGINS.n8n).replaceAll(sandbox.url, ORIGINS.sandbox);
	const state = inFiles(await sandbox.save());
	await sandbox.remove();
	const trigger: SavedTrigger = {
		at: Date.now(),
		robotId,
		staticData: JSON.parse(inFiles(JSON.stringify(host.staticData.load()))),
		processed,
		remembered: Object.fromEntries(host.staticData.processed),
		missed,
	};
	await write('trigger', trigger);
	await write('trigger.sandbox', JSON.parse(state));
});
