import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { teamField } from '../core/options';
import { flag, locator, oneOf, optionalLocator, several } from '../core/parameters';
import { SOURCES } from '../fields/runFilters';
import { downloadScreenshotsField, outputField } from '../fields/output';
import { onlyOn, optionOnlyOn, serverField } from '../fields/server';
import { sorted } from '../fields/sorted';

const COMPLETED = {
	name: 'Run Completed',
	value: 'run_completed',
	description: 'When a run has ended well',
};
const FAILED = { name: 'Run Failed', value: 'run_failed', description: 'When a run has failed' };
const ABORTED = {
	name: 'Run Aborted',
	value: 'run_aborted',
	description: 'When a run was cancelled, which Maxun announces to nobody',
};

const eventsField = (options: Array<typeof COMPLETED>): INodeProperties => ({
	displayName: 'Trigger On',
	name: 'events',
	type: 'multiOptions',
	required: true,
	options,
	default: ['run_completed'],
	description: 'What starts the workflow',
});

const robotsField: INodeProperties = {
	displayName: 'Robot Names or IDs',
	name: 'robotIds',
	type: 'multiOptions',
	typeOptions: {
		loadOptionsMethod: 'getRobots',
		loadOptionsDependsOn: ['server', 'options.teamId.value'],
	},
	default: [],
	description:
		'The robots whose runs start the workflow. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

/** How a self-hosted server comes to know of the trigger. */
const registrationField = onlyOn('selfHosted', {
	displayName: 'Registration',
	name: 'registration',
	type: 'options',
	options: [
		{
			name: 'Automatic',
			value: 'automatic',
			description: 'The trigger registers itself on the robots, where your server lets it',
		},
		{
			name: 'In the Dashboard',
			value: 'manual',
			description: 'You add the address of the trigger to the robots yourself',
		},
	],
	default: 'automatic',
	description: 'How your server comes to know where to send events',
});

const registrationNotice = onlyOn('selfHosted', {
	displayName:
		'Copy the Production URL from Webhook URLs above and add it as a webhook of each robot in the dashboard of your server. Each event is checked against the API before it starts the workflow.',
	name: 'registrationNotice',
	type: 'notice',
	displayOptions: { show: { registration: ['manual'] } },
	default: '',
});

/** Whether the user adds the trigger's address to the robots; only a self-hosted server is ever left to that. */
export const isRegisteredByHand = (context: {
	getNodeParameter(name: string, fallback: string): unknown;
}) =>
	context.getNodeParameter('server', 'cloud') === 'selfHosted' &&
	context.getNodeParameter('registration', 'automatic') === 'manual';

/** Options that both triggers have. */
const commonOptions: INodeProperties[] = [
	downloadScreenshotsField,
	optionOnlyOn('cloud', {
		displayName: 'Include Diff',
		name: 'includeDiff',
		type: 'boolean',
		default: true,
		description:
			'Whether to add what a run has changed, for robots with monitoring; bare rows come without',
	}),
	optionOnlyOn('cloud', {
		displayName: 'Only Runs With Changes',
		name: 'onlyChanges',
		type: 'boolean',
		default: true,
		description:
			'Whether to start only for runs that differ from the one before, which needs monitoring to compare the runs of the robot',
	}),
	{
		displayName: 'Sources',
		name: 'sources',
		type: 'multiOptions',
		options: SOURCES,
		default: ['schedule'],
		description: 'Start only for runs that were started in one of these ways',
	},
	optionOnlyOn('cloud', teamField),
];

const optionsField = (own: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: sorted([...commonOptions, ...own]),
});

/** The fields of the trigger that Maxun calls. */
export const triggerProperties: INodeProperties[] = [
	serverField,
	eventsField([COMPLETED, FAILED]),
	{ ...robotsField, required: true },
	registrationField,
	registrationNotice,
	outputField,
	optionsField([
		{
			displayName: 'Catch Up',
			name: 'catchUp',
			type: 'boolean',
			default: true,
			description:
				'Whether to start also for runs whose end did not get through to n8n, as soon as it is reached again',
		},
		{
			displayName: 'Test With',
			name: 'testWith',
			type: 'options',
			options: [
				{
					name: 'Latest Finished Run',
					value: 'latestRun',
					description: 'Emit the latest run that would have started the workflow, at once',
				},
				{
					name: 'Next Run',
					value: 'nextRun',
					description: 'Wait until a run ends',
				},
			],
			default: 'latestRun',
			description: 'What to show when the trigger is tested in the editor',
		},
	]),
];

/** The fields of the trigger that asks Maxun. */
export const pollingProperties: INodeProperties[] = [
	serverField,
	eventsField([ABORTED, COMPLETED, FAILED]),
	{
		...robotsField,
		description:
			'The robots whose runs start the workflow, all of them when left empty. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	outputField,
	optionsField([]),
];

/** Robots as a list, or as text with commas. */
const robots = z.preprocess(
	(value) => (typeof value === 'string' ? value.split(',').filter((id) => id.trim()) : value),
	z.array(locator(), { invalid_type_error: 'must be a list', required_error: 'is required' }),
);

const commonParameters = {
	downloadScreenshots: flag().default(false),
	includeDiff: flag().default(false),
	onlyChanges: flag().default(false),
	sources: several(['api', 'cli', 'dashboard', 'mcp', 'schedule', 'sdk']).default([]),
	teamId: optionalLocator(),
};

const output = oneOf(['simplified', 'rows', 'full']).default('simplified');

const needsEvent = (events: unknown[]) => events.length > 0;

/** The parameters of the trigger that Maxun calls. */
export const TriggerParameters = z.object({
	events: several(['run_completed', 'run_failed']).refine(needsEvent, 'needs an event'),
	robotIds: robots.refine((ids) => ids.length > 0, 'needs at least one robot'),
	output,
	options: z
		.object({
			...commonParameters,
			catchUp: flag().default(true),
			testWith: oneOf(['latestRun', 'nextRun']).default('latestRun'),
		})
		.default({}),
});

/** The parameters of the trigger that asks Maxun. */
export const PollingParameters = z.object({
	events: several(['run_aborted', 'run_completed', 'run_failed']).refine(
		needsEvent,
		'needs an event',
	),
	robotIds: robots.default([]),
	output,
	options: z.object(commonParameters).default({}),
});

/**
 * The node's parameters, read and checked.
 *
 * @throws ZodError for values that make no sense
 */
export function parametersOf<S extends z.ZodRawShape>(
	schema: z.ZodObject<S>,
	context: { getNodeParameter(name: string, fallback: undefined): unknown },
): z.output<z.ZodObject<S>> {
	const given: IDataObject | Record<string, unknown> = Object.fromEntries(
		Object.keys(schema.shape).map((name) => [name, context.getNodeParameter(name, undefined)]),
	);
	return schema.parse(given);
}
