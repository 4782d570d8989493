import { parse, stringify } from 'flatted';
import type { INode, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import { WaitingHost } from '../helpers/engine/index.mts';
import { PATIENCE, until } from '../helpers/until.mts';
import { changesOf, fieldsOf, withoutRandom } from './effect.mts';
import { ORIGINS, SavedSandbox } from './release.mts';

/** Runs end only when the test ends them. */
export const SLOW = {
	slots: 20,
	runSeconds: 600,
	selfHostedForm: 'observed',
	selfHostedSlots: 20,
	selfHostedWriteBackSeconds: 0,
	webhookDelaySeconds: 0,
} as const;

const Outcome = z.object({
	changes: z.array(z.unknown()),
	/** The items of each output: their input item, their run and its status. */
	outputs: z.array(
		z.array(z.object({ input: z.unknown(), run: z.unknown(), status: z.unknown() })),
	),
	fields: z.array(z.string()),
});
/** How a paused execution ends. */
export type Outcome = z.output<typeof Outcome>;

export const SavedExecution = z.object({
	/** When the execution was stored, in epoch milliseconds. */
	at: z.number(),
	server: z.enum(['cloud', 'selfHosted']),
	node: z.custom<INode>(),
	/** What n8n's database contains about the execution. */
	data: z.array(z.unknown()),
	outcome: Outcome,
});
/** A paused execution, and how it ended. */
export type SavedExecution = z.output<typeof SavedExecution>;

/** An n8n instance with a node that pauses. */
export async function startHost(
	{ server, node }: Pick<SavedExecution, 'server' | 'node'>,
	sandbox: SavedSandbox,
): Promise<WaitingHost> {
	const located: INode = JSON.parse(JSON.stringify(node).replaceAll(ORIGINS.sandbox, sandbox.url));
	return await WaitingHost.start({
		parameters: located.parameters,
		node: located,
		credentials:
			server === 'cloud' ? sandbox.credentials() : sandbox.serverCredentials({ timezone: 'UTC' }),
	});
}

/** A paused execution's data, in the form of n8n's database. */
export function storedData(host: WaitingHost, id: string, { url }: SavedSandbox): unknown[] {
	const text = stringify(host.store.load(id)).replaceAll(url, ORIGINS.sandbox);
	return JSON.parse(text);
}

interface Restored {
	host: WaitingHost;
	sandbox: SavedSandbox;
	id: string;
	close(): Promise<void>;
}

/** An n8n instance with a stored, paused execution, and the stored server. */
export async function restore(
	saved: Pick<SavedExecution, 'server' | 'node' | 'data'>,
	state: string,
): Promise<Restored> {
	const sandbox = await SavedSandbox.create();
	const host = await startHost(saved, sandbox);
	await sandbox.begin(SLOW, state);
	const text = JSON.stringify(saved.data).replaceAll(ORIGINS.sandbox, sandbox.url);
	const data: IRunExecutionData = parse(text);
	const id = host.create(data, 'waiting');
	return { host, sandbox, id, close: async () => await sandbox.remove() };
}

/** Ends a paused execution's runs until the execution has ended. */
export async function outcomeOf({ host, sandbox, id }: Restored, state: string): Promise<Outcome> {
	await sandbox.control.clear();
	for (;;) {
		const { status, lives } = await host.reaches(id, ['waiting', 'success', 'error']);
		if (status !== 'waiting') break;
		for (const run of await sandbox.owner.activeRuns()) await sandbox.control.finishRun(run);
		host.expire(id);
		host.resumeByTimer(id);
		await until('the resume', PATIENCE, () => host.of(id).lives > lives || undefined);
	}
	const outputs = host.output(id);
	const outcome = {
		changes: changesOf(await sandbox.sent()),
		outputs: outputs.map((items) => items.map(summaryOf)),
		fields: fieldsOf(outputs.flat().map(({ json }) => json)),
	};
	return withoutRandom(outcome, state, { sandbox: sandbox.url });
}

const summaryOf = ({ json, pairedItem }: INodeExecutionData) => ({
	input: pairedItem,
	run: json.id,
	status: json.status,
});
