import type { z } from 'zod';
import { optionsOf } from '../fields/collections';
import { isField, schemaOf, type Field } from '../fields/field';
import { optionOnlyWith } from '../fields/server';
import { teamField } from '../fields/team';
import { DEFAULT_RETRY_LIMITS } from '../http/retry';

/** Default number of seconds to poll before pausing. */
export const PAUSE_AFTER = 60;

/** Options of every operation. */
const requestOptions = [
	{
		displayName: 'Max Concurrent Requests',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 50 },
		default: 10,
		ifAbsent: 10,
		description: 'Maximum number of requests at the same time',
	},
	{
		displayName: 'Max Retries',
		name: 'maxRetries',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 10 },
		default: 3,
		ifAbsent: DEFAULT_RETRY_LIMITS.maxRetries,
		description:
			'Maximum number of retries after a network error or when Maxun is overloaded. A request that starts or creates something is never retried if Maxun may have received it. When the rate limit is exceeded, the node waits up to five minutes.',
	},
	{
		displayName: 'Max Text Length for AI',
		name: 'maxTextLength',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 2000,
		ifAbsent: 2000,
		description:
			'Maximum number of characters in each text when an AI agent uses this node as a tool. The whole result is limited to five times that number. As a step of a workflow, the node always returns the whole text.',
	},
	optionOnlyWith('teams', teamField),
] as const satisfies Field[];

/** When a waiting operation pauses instead of polling. */
const pauseAfterField = {
	displayName: 'Pause After (Seconds)',
	name: 'pauseAfter',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: PAUSE_AFTER,
	ifAbsent: PAUSE_AFTER,
	description:
		'How long to poll before the execution pauses. Each start or end of a run starts this time again. A paused execution polls its runs every one to five minutes. Set to 0 to never pause.',
} as const satisfies Field;

/** When a tool returns without waiting for its result. */
const returnAfterField = {
	displayName: 'Return After (Seconds)',
	name: 'returnAfter',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 50,
	description:
		'How long to wait before this node returns without the data, if an AI agent or AI app uses it as a tool. The result then says how to get the data later. Set to 0 to wait until the run ends. By default, the node returns after 50 seconds if an MCP Server Trigger calls it, and waits until the run ends if an AI agent calls it.',
} as const satisfies Field;

/** When an operation starts no runs, because the account has too few credits. */
const minCreditsField = optionOnlyWith('credits', {
	displayName: 'Min Credits',
	name: 'minCredits',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 10,
	ifAbsent: 0,
	description:
		'How many credits must be left in the account before the first run starts. If fewer are left, the node fails. Set to 0 to start runs anyway.',
});

/** How many runs one execution of the node may start. */
const runLimitField = {
	displayName: 'Max Runs',
	name: 'runLimit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	ifAbsent: Infinity,
	description:
		'How many runs this node may start in one execution. If the items or URLs need more, the node fails before it starts the first one. Without this option, there is no limit.',
} as const satisfies Field;

/** The request options among an operation's parameters. */
export const Options = schemaOf([
	optionsOf([...requestOptions, minCreditsField, pauseAfterField, returnAfterField, runLimitField]),
]);
export type RequestOptions = z.output<typeof Options>['options'];

/** The options of an operation that starts runs. @param waits false if it never waits for them */
export const optionsOfRuns = (waits: unknown): Field[] =>
	waits === false
		? [minCreditsField, runLimitField]
		: [minCreditsField, runLimitField, pauseAfterField, returnAfterField];

/** The fields of an operation, with these options in its `options` collection. */
export function withRequestOptions(fields: Field[], more: Field[] = []): Field[] {
	const own = fields.find(({ name }) => name === 'options');
	const ownOptions = (own?.options ?? []).filter(isField);
	const options = optionsOf([...ownOptions, ...more, ...requestOptions]);
	return [...fields.filter((field) => field !== own), options];
}
