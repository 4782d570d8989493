import type { z } from 'zod';
import { forN8n, type Field } from '../fields/field';
import { kindsThatHave } from '../servers';
import type { ServerParts } from '../servers/types';
import { notSupported, toItems } from './operation';
import type { FileSpec, Job, Operation, OperationInfo, Spec, WaitingSpec } from './operation';
import { optionsOfRuns, withRequestOptions } from './options';

// Operations with a schema beside their fields. They move to `operation.ts`, which derives the schema from the fields.

/** The parameters of an operation, with or without rules across several of them. */
type Schema<S extends z.ZodRawShape> = z.ZodObject<S> | z.ZodEffects<z.ZodObject<S>>;

/** One operation of the node: its texts in the editor, its parameters, and what it does. */
export function operation<S extends z.ZodRawShape, N>(
	info: Omit<OperationInfo, 'rule'>,
	schema: Schema<S>,
	{ run, ...spec }: Spec<z.output<z.ZodObject<S>>, N>,
): Operation {
	return fileOperation(info, schema, {
		...spec,
		runItems: async (needed, params, context) =>
			toItems(await run(needed, params, context)).map((json) => ({ json })),
	});
}

/** An operation whose items can contain files. */
export function fileOperation<S extends z.ZodRawShape, N>(
	info: Omit<OperationInfo, 'rule'>,
	schema: Schema<S>,
	spec: FileSpec<z.output<z.ZodObject<S>>, N>,
): Operation {
	return define(info, schema, spec, [], (params, needed) => [
		{ run: async (context) => await spec.runItems(needed(context.maxun), params, context) },
	]);
}

/** An operation that starts a run and waits for it. */
export function waitingOperation<S extends z.ZodRawShape, N>(
	info: Omit<OperationInfo, 'rule'>,
	schema: Schema<S>,
	spec: WaitingSpec<z.output<z.ZodObject<S>>, N>,
): Operation {
	const { waits = true } = spec;
	const jobOf = (
		params: z.output<z.ZodObject<S>>,
		needed: (parts: ServerParts) => N,
		isManual: boolean,
	): Job => {
		const test = isManual ? spec.test?.(params) : undefined;
		if (test) return { run: test };
		return {
			start: async (context) => await spec.start(needed(context.maxun), params, context),
			settings: spec.settings(params),
			waits: typeof waits === 'function' ? waits(params) : waits,
			check: async (context) => await spec.check?.(params, context),
		};
	};
	return define(info, schema, spec, optionsOfRuns(waits), (params, needed, isManual) =>
		(spec.each?.(params) ?? [params]).map((run) => jobOf(run, needed, isManual)),
	);
}

/** @param jobsOf makes the jobs of one item; its second argument returns what the operation needs of a server */
function define<S extends z.ZodRawShape, N>(
	info: Omit<OperationInfo, 'rule'>,
	schema: Schema<S>,
	{ needs, parallel = false }: Pick<Spec<unknown, N>, 'needs' | 'parallel'>,
	options: Field[],
	jobsOf: (
		params: z.output<z.ZodObject<S>>,
		needed: (parts: ServerParts) => N,
		isManual: boolean,
	) => Job[],
): Operation {
	return {
		...info,
		parameterNames: Object.keys('shape' in schema ? schema.shape : schema.innerType().shape),
		servers: kindsThatHave(needs),
		parallel,
		properties: forN8n(withRequestOptions(info.properties, options)),
		prepare: (parameters, isManual = false) =>
			jobsOf(schema.parse(parameters), (parts) => required(info, needs(parts)), isManual),
	};
}

function required<N>(info: Pick<OperationInfo, 'action'>, needed: N | undefined): N {
	if (needed === undefined) throw notSupported(info);
	return needed;
}
