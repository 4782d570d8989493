import type { IBinaryData, IDataObject, INodeProperties } from 'n8n-workflow';
import { forN8n, type Field, type Values } from '../fields/field';
import { withRule, type Problem } from '../fields/parameters';
import { MaxunFault } from '../http/fault';
import { addressOf } from '../http/links';
import type { UploadedFile } from '../http/multipart';
import { isObject, type OneOf } from '../http/values';
import type { ReuseContext } from '../runs/reuse';
import type { Lesson, RunContext, StartedRun, WaitSettings } from '../runs/types';
import { itemsOfLastRun } from '../runs/lastData';
import type { Item } from '../results/types';
import { kindsThatHave, type ServerKind } from '../servers';
import type { Login } from '../servers/definition';
import type { ServerParts } from '../servers/types';
import { formSchema, optionsOfRuns, withOptions } from './options';

/** It has no node context and no credentials. */
export interface OperationContext extends RunContext, ReuseContext {
	readonly timezone: string;
	readonly isTool: boolean;
	readonly item: IDataObject;
	login(): Promise<Login>;
	document(field: string | IBinaryData): Promise<UploadedFile>;
}

export interface OperationInfo<F extends Field = Field> {
	value: string;
	name: string;
	action: string;
	description: string;
	/** For n8n's AI workflow builder. */
	builderHint?: string;
	properties: F[];
	rule?: (params: Values<F>) => Problem;
}

/** The action is the name and, if the name lacks it, what the operation is about. */
export function called(value: string, name: string, subject = '') {
	const action = `${name[0]}${name.slice(1).toLowerCase()} ${subject}`.trim();
	return { value, name, action };
}

interface Spec<P, N> {
	/** Each kind of server with this part offers the operation. */
	needs: (parts: ServerParts) => N | undefined;
	/** Operations that write keep the order of the items. */
	parallel?: boolean;
	run: (needed: N, params: P, context: OperationContext) => Promise<IDataObject | IDataObject[]>;
}

interface FileSpec<P, N> extends Omit<Spec<P, N>, 'run'> {
	runItems: (needed: N, params: P, context: OperationContext) => Promise<Item[]>;
}

export interface WaitingSpec<P, N> extends Pick<Spec<P, N>, 'needs'> {
	/** By default, an item has one run. */
	each?: (params: P) => P[];
	/** Called before any request. Throws if a run can't start for a reason that the schema can't express. */
	check?: (params: P, context: OperationContext) => Promise<void> | void;
	/** What the run needs from a page, which another run has to read first. */
	lesson?: (params: P) => Lesson<OperationContext> | undefined;
	/** Starts a run, or creates something. Throws `Busy` if it has to wait. */
	start: (needed: N, params: P, context: OperationContext) => Promise<StartedRun | Item[]>;
	/** False if only the lesson needs a run. */
	startsRun?: false;
	/** Whether equal pages in the input share one run, if nothing else differs. */
	sharesRuns?: true;
	/** What the items contain apart from the run's data. */
	fields?: (params: P, item: IDataObject) => IDataObject | undefined;
	settings: (params: P) => WaitSettings;
	/** False if the item is the response to the start. */
	waits?: false;
}

export interface WaitingJob {
	lesson?: Lesson<OperationContext>;
	start: (context: OperationContext) => Promise<StartedRun | Item[]>;
	startsRun: boolean;
	/** Tasks with the same key share a run. */
	key?: string;
	fields: (item: IDataObject) => IDataObject | undefined;
	settings: WaitSettings;
	waits: boolean;
	check: (context: OperationContext) => Promise<void>;
}

export type Job = OneOf<
	{ run: (context: OperationContext) => Promise<Item[]> } | WaitingJob | { problem: unknown }
>;

interface ExecutionMode {
	/** A test in the editor. */
	isManual: boolean;
	/** Whether robots may be kept for the next executions. Tests and tools don't change anything. */
	keeps: boolean;
}

export interface Operation extends Omit<OperationInfo, 'rule'> {
	properties: INodeProperties[];
	parameterNames: string[];
	servers: ServerKind[];
	parallel: boolean;
	/** @throws ZodError for invalid parameters */
	prepare(parameters: Record<string, unknown>, mode: ExecutionMode): Job[];
}

export interface Resource {
	name: string;
	value: string;
	description: string;
	operations: Operation[];
}

/** An operation whose items are the fields that `run` returns. */
export const operation = <const F extends Field, N>({
	run,
	...spec
}: OperationInfo<F> & Spec<Values<F>, N>): Operation =>
	fileOperation({
		...spec,
		runItems: async (needed, params, context) =>
			toItems(await run(needed, params, context)).map((json) => ({ json })),
	});

/** An operation that only reads, so the order of the items doesn't matter. */
export const reading = <const F extends Field, N>(
	spec: OperationInfo<F> & Spec<Values<F>, N>,
): Operation => operation({ ...spec, parallel: true });

/** The last property is the ID of what to delete. */
export const deletion = <const F extends Field>(
	noun: string,
	description: string,
	properties: F[],
	needs: (parts: ServerParts) => ((...ids: string[]) => Promise<void>) | undefined,
): Operation =>
	operation({
		...called('delete', 'Delete', noun),
		description,
		properties,
		needs,
		run: async (remove, params) => {
			const ids = Object.values(params).map(String);
			await remove(...ids);
			return { id: ids.at(-1), deleted: true };
		},
	});

export const fileOperation = <const F extends Field, N>({
	runItems,
	needs,
	parallel,
	...info
}: OperationInfo<F> & FileSpec<Values<F>, N>): Operation =>
	define(info, { needs, parallel }, [], (params, needed) => [
		{ run: async (context) => await runItems(needed(context.maxun), params, context) },
	]);

export function waitingOperation<const F extends Field, N>(
	spec: OperationInfo<F> & WaitingSpec<Values<F>, N>,
): Operation {
	const { each, check, lesson, start, startsRun = true, ...more } = spec;
	const { settings: settingsOf, waits = true, needs, sharesRuns, fields, ...info } = more;
	const jobOf = (
		params: Values<F>,
		needed: (parts: ServerParts) => N,
		mode: ExecutionMode,
	): Job => {
		const { keeping, ...given } = settingsOf(params);
		const settings = mode.keeps ? { ...given, keeping } : given;
		const { robotId, useLastRun } = settings;
		if (mode.isManual && waits && useLastRun && robotId)
			return { run: async (context) => await itemsOfLastRun(context, robotId, settings) };
		return {
			lesson: lesson?.(params),
			start: async (context) => await start(needed(context.maxun), params, context),
			startsRun,
			key: sharesRuns && taskKey(params, settings),
			fields: (item) => fields?.(params, item),
			settings,
			waits,
			check: async (context) => await check?.(params, context),
		};
	};
	const options = optionsOfRuns(waits, startsRun || lesson !== undefined);
	return define(info, { needs, parallel: true }, options, (params, needed, mode) =>
		(each?.(params) ?? [params]).map((run) => jobOf(run, needed, mode)),
	);
}

/** The URL counts in any spelling. */
const taskKey = (params: object, { address }: WaitSettings): string =>
	JSON.stringify(params, (_, value: unknown) =>
		value === address && address !== undefined ? addressOf(address) : value,
	);

function define<F extends Field, N>(
	{ properties, rule, ...info }: OperationInfo<F>,
	{ needs, parallel = false }: Pick<Spec<unknown, N>, 'needs' | 'parallel'>,
	options: Field[],
	jobsOf: (params: Values<F>, needed: (parts: ServerParts) => N, mode: ExecutionMode) => Job[],
): Operation {
	const form = formSchema(properties);
	const schema = rule ? withRule(form, rule) : form;
	const needed = (parts: ServerParts) => {
		const part = needs(parts);
		if (part === undefined) throw notSupported(info);
		return part;
	};
	return {
		...info,
		parameterNames: properties.map(({ name }) => name),
		servers: kindsThatHave(needs),
		parallel,
		properties: forN8n(withOptions(properties, options)),
		prepare: (parameters, mode) => jobsOf(schema.parse(parameters), needed, mode),
	};
}

export const notSupported = ({ action }: Pick<OperationInfo, 'action'>) =>
	new MaxunFault(
		`This server does not support the operation '${action}'`,
		'Select another operation, or a credential for another server',
	);

/** A list is one item per entry; null and undefined aren't items. */
export function toItems(result: unknown): IDataObject[] {
	const entries: unknown[] = Array.isArray(result) ? result : [result];
	return entries
		.filter((entry) => entry !== null && entry !== undefined)
		.map((value) => (isObject(value) ? value : { value: String(value) }));
}
