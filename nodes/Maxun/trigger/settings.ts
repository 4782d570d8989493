import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { sorted } from '../fields/collections';
import { tableFields, tableParameters } from '../fields/columns';
import { downloadScreenshotsField, eventOutputField, eventOutputParameter } from '../fields/output';
import {
	choices,
	collection,
	count,
	flag,
	listed,
	locator,
	mustBe,
	notEmpty,
	oneOf,
	optionalLocator,
	several,
} from '../fields/parameters';
import { forN8n } from '../fields/field';
import { SOURCES } from '../fields/runFilters';
import { onlyWith, optionOnlyWith, serverField } from '../fields/server';
import { teamField } from '../fields/team';
import { ifNoDataField, ifNoDataParameter } from '../fields/waiting';
import type { TriggerNode } from './triggerNode';

/** How a run ended. Maxun only sends the first two events. Aborted runs only appear in lists. */
export type RunEvent = 'run_completed' | 'run_failed' | 'run_aborted';

/** The events of the webhook trigger. Maxun sends none for changes, so the trigger compares completed runs. */
const SENT_EVENTS = choices([
	{ name: 'Run Completed', value: 'run_completed', description: 'When a run completes' },
	{ name: 'Run Failed', value: 'run_failed', description: 'When a run fails' },
	{
		name: 'Run Found Changes',
		value: 'run_changed',
		description:
			'When a run completes and differs from the previous successful run. Works for every robot that captures text, including crawl robots.',
	},
]);

const ALL_EVENTS = choices([
	{ name: 'Run Aborted', value: 'run_aborted', description: 'When a run is canceled' },
	...SENT_EVENTS,
]);

const REGISTRATIONS = choices([
	{
		name: 'Automatic',
		value: 'automatic',
		description: 'The trigger adds its webhook to the robots, if the server supports this',
	},
	{
		name: 'In the Dashboard',
		value: 'manual',
		description: 'You add the URL of the trigger to the robots yourself',
	},
]);

const TEST_RUNS = choices([
	{
		name: 'Latest Run',
		value: 'latestRun',
		description: 'Return the latest run that has ended and would have started the workflow',
	},
	{ name: 'Next Run', value: 'nextRun', description: 'Wait until a run ends' },
]);

const eventsField = (options: typeof SENT_EVENTS | typeof ALL_EVENTS): INodeProperties => ({
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

/** How a self-hosted server gets the URL of the trigger. */
const registrationField = onlyWith('webhooksByHand', {
	displayName: 'Registration',
	name: 'registration',
	type: 'options',
	options: REGISTRATIONS,
	default: 'automatic',
	description: "How to add the trigger's webhook to the robots",
});

const registrationNotice = onlyWith('webhooksByHand', {
	displayName:
		"Copy the production URL from 'Webhook URLs' above. In your server's dashboard, add it to each robot as a webhook. The trigger checks each event with the API before it starts the workflow.",
	name: 'registrationNotice',
	type: 'notice',
	displayOptions: { show: { registration: ['manual'] } },
	default: '',
});

/** What a trigger does with a run without data. */
const IF_NO_DATA_OF_EVENT = choices([
	{
		name: 'Return Nothing',
		value: 'nothing',
		description: 'Do not start the workflow for this run',
	},
	{
		name: 'Return the Item',
		value: 'item',
		description: 'Start the workflow with the run',
	},
	{
		name: 'Throw an Error',
		value: 'error',
		description: 'Start an execution that fails, so that the error workflow runs',
	},
]);

/** Options of both triggers. */
const commonOptions: INodeProperties[] = [
	{
		displayName: 'Add Robot and Run to Rows',
		name: 'addRobotAndRun',
		type: 'boolean',
		displayOptions: { show: { '/output': ['rows'] } },
		default: true,
		description:
			'Whether each row also contains the event, the robot and the run. By default, rows contain them only if you select several robots.',
	},
	downloadScreenshotsField,
	{
		...ifNoDataField,
		options: IF_NO_DATA_OF_EVENT,
		description:
			'What to do if a run completes without rows, or if none of its pages could be read',
	},
	optionOnlyWith('diffs', {
		displayName: 'Include Diff',
		name: 'includeDiff',
		type: 'boolean',
		default: true,
		description:
			"Whether to add the changes since the previous run. Rows never contain them. Requires 'Compare Runs' in Maxun.",
	}),
	{
		displayName: 'Only Runs With Changes',
		name: 'onlyChanges',
		type: 'boolean',
		default: true,
		description:
			"Whether to start the workflow only for runs that differ from the previous one. Requires 'Compare Runs' in Maxun.",
	},
	{
		displayName: 'Max Age (Hours)',
		name: 'maxAge',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 24,
		description:
			'Skip missed runs that ended longer ago than this, for example while the workflow was off. Set to 0 for no limit.',
	},
	{
		displayName: 'Sources',
		name: 'sources',
		type: 'multiOptions',
		options: SOURCES,
		default: ['schedule'],
		description: 'Start the workflow only for runs that were started in one of these ways',
	},
	optionOnlyWith('teams', teamField),
	...tableFields('getRunFields'),
];

const optionsField = (ownOptions: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: sorted([...commonOptions, ...ownOptions]),
});

/** The fields of the webhook trigger. */
export const triggerProperties = forN8n([
	serverField,
	eventsField(SENT_EVENTS),
	{ ...robotsField, required: true },
	registrationField,
	registrationNotice,
	eventOutputField,
	optionsField([
		{
			displayName: 'Catch Up',
			name: 'catchUp',
			type: 'boolean',
			default: true,
			description:
				'Whether to also start the workflow for runs that ended while n8n was unavailable',
		},
		{
			displayName: 'Test With',
			name: 'testWith',
			type: 'options',
			options: TEST_RUNS,
			default: 'latestRun',
			description: 'What a test in the editor returns',
		},
	]),
]);

/** The fields of the polling trigger. */
export const pollingProperties = forN8n([
	serverField,
	eventsField(ALL_EVENTS),
	{
		...robotsField,
		description:
			'The robots whose runs start the workflow. Leave empty for all robots. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	eventOutputField,
	optionsField([]),
]);

/** Robots as a list, or as comma-separated text. */
const robots = z.preprocess(
	(value) => listed(value, ','),
	z.array(locator(), mustBe('must be a list')).transform((robotIds) => [...new Set(robotIds)]),
);

const PollingParameters = z.object({
	events: notEmpty(several(ALL_EVENTS)),
	/** All robots if empty. */
	robotIds: robots.default([]),
	output: eventOutputParameter,
	options: collection(
		z.object({
			addRobotAndRun: flag().optional(),
			catchUp: flag().default(true),
			downloadScreenshots: flag().default(false),
			maxAge: count(0).default(0),
			ifNoData: ifNoDataParameter,
			includeDiff: flag().default(false),
			onlyChanges: flag().default(false),
			/** All sources if empty. */
			sources: several(SOURCES).default([]),
			teamId: optionalLocator(),
			testWith: oneOf(TEST_RUNS).default('latestRun'),
			...tableParameters,
		}),
	),
});
type Parameters = z.output<typeof PollingParameters>;

const TriggerParameters = PollingParameters.extend({
	events: notEmpty(several(SENT_EVENTS)),
	robotIds: notEmpty(robots),
});

/** The settings of both triggers. */
export type TriggerSettings = ReturnType<typeof settingsOf>;

/**
 * A run with changes is a completed run: `needsChanges` says whether it must differ from the previous successful one, which
 * only its data shows. If all completed runs start the workflow, no run has to be compared.
 */
function settingsOf({ options, events: selected, ...fields }: Parameters) {
	const events: RunEvent[] = selected.map((event) =>
		event === 'run_changed' ? 'run_completed' : event,
	);
	const needsChanges = selected.includes('run_changed') && !selected.includes('run_completed');
	return { ...fields, ...options, events: [...new Set(events)], needsChanges };
}

type ParameterReader = Pick<TriggerNode, 'parameter'>;

const valuesOf = (schema: z.AnyZodObject, { parameter }: ParameterReader) =>
	Object.fromEntries(Object.keys(schema.shape).map((name) => [name, parameter(name)]));

/** @throws ZodError for invalid values */
export const readTriggerSettings = (trigger: ParameterReader): TriggerSettings =>
	settingsOf(TriggerParameters.parse(valuesOf(TriggerParameters, trigger)));

/** @throws ZodError for invalid values */
export const readPollingSettings = (trigger: ParameterReader): TriggerSettings =>
	settingsOf(PollingParameters.parse(valuesOf(PollingParameters, trigger)));

/** Whether the user adds the trigger's URL to the robots, which is only possible for self-hosted servers. */
export const isRegisteredByHand = ({ parameter }: ParameterReader): boolean =>
	parameter('server', 'cloud') === 'selfHosted' &&
	parameter('registration', 'automatic') === 'manual';
