import type { IExecuteFunctions } from 'n8n-workflow';
import { connectServer, serverKindOf } from '../servers';
import type { MaxunServer } from '../servers/types';
import { readDocument } from './documents';
import type { Hints } from './hints';
import type { ItemOutput } from './itemOutput';
import { notSupported, type Job, type Operation, type OperationContext } from './operation';
import { Options, type RequestOptions } from './options';

/** One input item, with its job, options and context. */
export interface Task {
	itemIndex: number;
	options: RequestOptions;
	context: OperationContext;
	job: Job;
	/** When the node first tried to start the run, in epoch milliseconds. */
	since?: number;
}

/** What waiting needs of an item. */
export const toWait = ({ itemIndex, context, job, since }: Task) => ({
	itemIndex,
	context,
	since,
	settings: 'start' in job ? job.settings : undefined,
});

/** Reads all parameters before sending anything, so that invalid ones cost nothing. */
export async function prepareTasks(
	context: IExecuteFunctions,
	operation: Operation,
	hints: Hints,
	output: ItemOutput,
): Promise<Task[]> {
	const kind = serverKindOf(context.getNodeParameter('server', 0, 'cloud'));
	const connecting = connectServer(context, kind);
	connecting.catch(() => 'each item that needs it reports it');
	const prepared = context.getInputData().map(
		async (_, itemIndex) =>
			await output.attempt(itemIndex, async () => {
				if (!operation.servers.includes(kind)) throw notSupported(operation);
				const parameters = parametersOf(context, operation, itemIndex);
				const { options } = Options.parse(parameters);
				const job = operation.prepare(parameters, context.getMode() === 'manual');
				const { teamId, maxRetries, concurrency } = options;
				const maxun = (await connecting).with({ teamId, maxRetries, concurrency });
				return {
					itemIndex,
					options,
					job,
					context: contextFor(context, maxun, options, itemIndex, hints),
				};
			}),
	);
	return (await Promise.all(prepared)).filter((task) => task !== undefined);
}

const parametersOf = (
	context: IExecuteFunctions,
	{ parameterNames }: Operation,
	itemIndex: number,
): Record<string, unknown> =>
	Object.fromEntries(
		[...parameterNames, 'options'].map((name) => [
			name,
			context.getNodeParameter(name, itemIndex, null) ?? undefined, // hidden fields have no value
		]),
	);

const contextFor = (
	context: IExecuteFunctions,
	maxun: MaxunServer,
	{ concurrency }: RequestOptions,
	itemIndex: number,
	hints: Hints,
): OperationContext => ({
	maxun,
	concurrency,
	timezone: context.getTimezone(),
	item: context.getInputData()[itemIndex]?.json ?? {},
	document: async (field) => await readDocument(context, itemIndex, field),
	hint: hints.hint,
	remains: hints.remains,
	toBinary: async (data, name) => await context.helpers.prepareBinaryData(data, name),
});
