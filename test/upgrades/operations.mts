import type { INode, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import { execute } from '../helpers/engine/index.mts';
import type { TestSandbox } from '../helpers/sandbox.mts';
import { changesOf, fieldsOf, withoutRandom } from './effect.mts';
import { ORIGINS } from './release.mts';

export const SERVERS = ['cloud', 'selfHosted'] as const;
export type Server = (typeof SERVERS)[number];

/** Runs and agents end at once, on a server with all routes. */
export const QUICK = {
	runSeconds: 0.05,
	agentBuildSeconds: 0.05,
	selfHostedForm: 'observed',
	selfHostedSdk: 'newer',
	selfHostedStepSeconds: 0.02,
} as const;

const Effect = z.object({
	changes: z.array(z.unknown()),
	/** The number of items that the operation returns. */
	count: z.number(),
	fields: z.array(z.string()),
});
/** What an operation changes in Maxun, and what it returns. */
export type Effect = z.output<typeof Effect>;

const SavedOperation = z.object({
	name: z.string(),
	server: z.enum(SERVERS),
	/** As n8n's editor saves it: without default values. */
	node: z.custom<INode>(),
	input: z.array(z.custom<INodeExecutionData>()),
	/** Whether runs stay in the queue in the meantime. */
	isQueued: z.boolean(),
	effect: Effect,
});
/** A saved node, and what it did when it was saved. */
export type SavedOperation = z.output<typeof SavedOperation>;

export const SavedOperations = z.object({
	/** When the data was stored, in epoch milliseconds. */
	at: z.number(),
	saved: z.array(SavedOperation),
});

/**
 * Runs a saved node.
 *
 * @param state the stored state with which the sandbox continues
 * @throws the node's error
 */
export async function effectOf(
	sandbox: TestSandbox,
	{ server, node, input, isQueued }: Omit<SavedOperation, 'effect'>,
	state: string,
): Promise<Effect> {
	await sandbox.control.settings({ slots: isQueued ? 0 : 5 });
	await sandbox.control.clear();
	const located: INode = JSON.parse(JSON.stringify(node).replaceAll(ORIGINS.sandbox, sandbox.url));
	const { items, error } = await execute({
		parameters: located.parameters,
		node: located,
		input,
		credentials:
			server === 'cloud' ? sandbox.credentials() : sandbox.serverCredentials({ timezone: 'UTC' }),
	});
	if (error) throw error;
	const [output = []] = items;
	return {
		changes: withoutRandom(changesOf(await sandbox.sent()), state, { sandbox: sandbox.url }),
		count: output.length,
		fields: fieldsOf(output.map(({ json, binary }) => ({ ...json, ...(binary && { binary }) }))),
	};
}
