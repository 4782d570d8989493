import type { IExecuteFunctions } from 'n8n-workflow';
import { MaxunFault } from '../http/fault';
import type { FreeCopies, RobotOwner } from '../runs/types';
import { connectServer, serverKindOf } from '../servers';
import type { MaxunServer } from '../servers/types';
import { readDocument } from './documents';
import type { Hints } from './hints';
import type { ItemOutput } from './itemOutput';
import {
	notSupported,
	type Job,
	type Jobs,
	type Operation,
	type OperationContext,
} from './operation';
import { Options, type RequestOptions } from './options';

/** One run or another job of an input item, with its options and context. */
export interface Task {
	/** The entry in the output: the index of the input item, unless items have several runs. */
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

/** What all items of an execution share. */
interface Shared {
	hints: Hints;
	copies: FreeCopies;
	owner: RobotOwner;
	output: ItemOutput;
}

/** The jobs of an input item, and what they share. */
interface Prepared {
	jobs: Jobs;
	options: RequestOptions;
	context: OperationContext;
}

/**
 * Reads all parameters before sending anything, so that invalid ones cost nothing. Arranges the output.
 *
 * @param counts how many runs each item had before a pause
 */
export async function prepareTasks(
	context: IExecuteFunctions,
	operation: Operation,
	shared: Shared,
	counts: number[] = [],
): Promise<Task[]> {
	const { output } = shared;
	const kind = serverKindOf(context.getNodeParameter('server', 0, 'cloud'));
	const connecting = connectServer(context, kind);
	connecting.catch(() => 'each item that needs it reports it');
	const prepare = async (item: number): Promise<Prepared> => {
		if (!operation.servers.includes(kind)) throw notSupported(operation);
		const parameters = parametersOf(context, operation, item);
		const { options } = Options.parse(parameters);
		const jobs = operation.prepare(parameters, context.getMode() === 'manual');
		const { teamId, maxRetries, concurrency } = options;
		const maxun = (await connecting).with({ teamId, maxRetries, concurrency });
		return { jobs, options, context: contextFor(context, maxun, options, item, shared) };
	};
	const items = context.getInputData().map(async (_, item) => {
		const prepared = await prepare(item).catch((error: unknown) => ({ error }));
		return entriesOf(prepared, counts[item]);
	});
	const entries = await Promise.all(items);
	output.arrange(entries.map(({ length }) => length));
	const tasks = entries
		.flat()
		.map(
			async (begin, itemIndex) =>
				await output.attempt(itemIndex, async () => ({ itemIndex, ...(await begin()) })),
		);
	return (await Promise.all(tasks)).filter((task) => task !== undefined);
}

/** One function for each entry of an item, which returns what its task needs or throws why it can't begin. */
function entriesOf(
	prepared: Prepared | { error: unknown },
	count?: number,
): Array<() => Promise<Omit<Task, 'itemIndex'>>> {
	const fail = (error: unknown) => async () => await Promise.reject(error);
	if ('error' in prepared) {
		return Array.from({ length: count ?? 1 }, () => fail(prepared.error));
	}
	const { jobs, ...shared } = prepared;
	if (count !== undefined && count !== jobs.length) {
		return Array.from({ length: count }, () => fail(changed()));
	}
	return jobs.map((job) =>
		job instanceof Error ? fail(job) : async () => await Promise.resolve({ ...shared, job }),
	);
}

/** The fault for an item whose run can't be continued. */
export const changed = () =>
	new MaxunFault(
		'The settings of this item changed while it waited',
		'An expression now returns another value, so the node stopped waiting. Use Run: Get Many to find the run',
	);

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
	{ hints, copies, owner, output }: Shared,
): OperationContext => ({
	maxun,
	concurrency,
	timezone: context.getTimezone(),
	item: context.getInputData()[itemIndex]?.json ?? {},
	document: async (field) => await readDocument(context, itemIndex, field),
	hint: hints.hint,
	remains: hints.remains,
	noData: (url) => output.withoutData.add(url),
	leaves: (message) => output.remainders.push(message),
	copies,
	owner,
	toBinary: async (data, name) => await context.helpers.prepareBinaryData(data, name),
});
