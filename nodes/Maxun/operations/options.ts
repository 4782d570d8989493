import { z } from 'zod';
import { collectionField, optionsOf } from '../fields/collections';
import { type Field, forN8n, isField, numberField, schemaOf, type Values } from '../fields/field';
import { teamField } from '../fields/locators';
import type { Schema } from '../fields/parameters';
import { ifServerHas } from '../fields/server';
import { DEFAULT_RETRY_LIMITS } from '../http/retry';

/** In seconds. */
export const PAUSE_AFTER = 60;

const ifTool = { displayOptions: { show: { '@tool': [true] } } } as const satisfies Partial<Field>;

const generalOptionsField = collectionField('General Options', 'generalOptions', 'option', [
	numberField(
		'Max Concurrent Requests',
		'concurrency',
		'Maximum number of requests at the same time',
		{ typeOptions: { minValue: 1, maxValue: 50 }, default: 10, ifAbsent: 10 },
	),
	numberField(
		'Max Retries',
		'maxRetries',
		'Maximum number of retries after network errors or when Maxun is overloaded. Requests that start or create something are only retried if this is safe.',
		{
			typeOptions: { minValue: 0, maxValue: 10 },
			default: 3,
			ifAbsent: DEFAULT_RETRY_LIMITS.maxRetries,
		},
	),
	numberField(
		'Max Text Length for AI',
		'maxTextLength',
		'Maximum number of characters in each text that an AI agent gets. The whole result can be five times as long.',
		{ typeOptions: { minValue: 1 }, default: 2000, ifAbsent: 2000, ...ifTool },
	),
	{ ...teamField, ...ifServerHas('teams') },
]);

const pauseAfterField = numberField(
	'Pause After (Seconds)',
	'pauseAfter',
	'How long to keep polling after a run has started or ended. Then the execution pauses. Set to 0 to never pause.',
	{ typeOptions: { minValue: 0 }, default: PAUSE_AFTER, ifAbsent: PAUSE_AFTER },
);

const returnAfterField = numberField(
	'Return After (Seconds)',
	'returnAfter',
	'How long a tool waits for the data. Set to 0 to wait until the run ends. Default: 50 for MCP clients, otherwise 0.',
	{ typeOptions: { minValue: 0 }, default: 50, ...ifTool },
);

const minCreditsField = numberField(
	'Min Credits',
	'minCredits',
	'How many credits must be left before the first run. If fewer are left, the node fails. Set to 0 to skip the check.',
	{ typeOptions: { minValue: 0 }, default: 0, ifAbsent: 0, ...ifServerHas('credits') },
);

const runLimitField = numberField(
	'Max Runs per Execution',
	'runLimit',
	'If the input needs more runs, the node fails before the first run. Set to 0 for no limit.',
	{ typeOptions: { minValue: 0 }, default: 0, ifAbsent: 0 },
);

/** The same field for n8n. The form contains it once for all operations. */
export const generalOptions = forN8n([generalOptionsField]);

const limitsOf = <const F extends Field>(fields: F[]) =>
	collectionField('Limits', 'limits', 'limit', fields);

export const Options = schemaOf([
	generalOptionsField,
	limitsOf([minCreditsField, pauseAfterField, returnAfterField, runLimitField]),
]).transform(({ limits, generalOptions }) => ({ ...limits, ...generalOptions }));

export type NodeOptions = z.output<typeof Options>;

export const OPTION_NAMES = ['limits', 'generalOptions'];

export const optionsOfRuns = (waits: boolean, usesRuns: boolean): Field[] => [
	...(usesRuns ? [minCreditsField, runLimitField] : []),
	...(waits ? [pauseAfterField, returnAfterField] : []),
];

/** The options that the form shows in 'Limits'. */
const RUN_LIMITS =
	/^(cancelOnTimeout|delayBeforeStart|max(Queued|Runs)|minCredits|onTimeout|pauseAfter|returnAfter|runLimit|timeoutMinutes)$/;

export const isLimit = ({ name }: Pick<Field, 'name'>) => RUN_LIMITS.test(name);

/** The form's fields. Its options are in 'Options' and 'Limits'. */
export function withOptions(fields: Field[], more: Field[] = []): Field[] {
	const own = fields.find(({ name }) => name === 'options');
	const all = [...(own?.options ?? []).filter(isField), ...more];
	const groups = [optionsOf(all.filter((field) => !isLimit(field))), limitsOf(all.filter(isLimit))];
	return [
		...fields.filter((field) => field !== own),
		...groups.filter(({ options }) => options.length > 0),
	];
}

/** Reads a form. Limits become options. */
export const formSchema = <F extends Field>(fields: F[]): Schema<Values<F>> =>
	schemaOf(withOptions(fields))
		.transform(({ options, limits, ...given }) =>
			options || limits ? { ...given, options: Object.assign({}, options, limits) } : given,
		)
		.pipe(z.custom<Values<F>>());
