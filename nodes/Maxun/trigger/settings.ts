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
import { optionOnlyWith, serverField } from '../fields/server';
import { teamField } from '../fields/team';
import { ifNoDataField, ifNoDataParameter } from '../fields/waiting';
import type { TriggerNode } from './triggerNode';

/** How a run ended. Maxun sends no event for aborted runs. They only appear in lists. */
export type RunEvent = 'run_completed' | 'run_failed' | 'run_aborted';

const WATCH = choices([
	{ name: 'Robots', value: 'robots', description: 'The robots that you select' },
	{
		name: 'All Robots',
		value: 'all',
		description: 'All robots of the account or team, including those that you add later',
	},
]);

const EVENTS = choices([
	{ name: 'Run Aborted', value: 'run_aborted', description: 'When a run is canceled' },
	{ name: 'Run Completed', value: 'run_completed', description: 'When a run completes' },
	{ name: 'Run Failed', value: 'run_failed', description: 'When a run fails' },
	{
		name: 'Run Found Changes',
		value: 'run_changed',
		description:
			'When a run completes and differs from the previous successful run. Works for every robot that captures text, including crawl robots.',
	},
]);

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

const options: INodeProperties[] = [
	{
		displayName: 'Add Robot and Run to Rows',
		name: 'addRobotAndRun',
		type: 'boolean',
		displayOptions: { show: { '/output': ['rows'] } },
		default: true,
		description:
			'Whether each row also contains the event, the robot and the run. By default, rows contain them only if you watch several robots.',
	},
	downloadScreenshotsField,
	{
		...ifNoDataField,
		options: IF_NO_DATA_OF_EVENT,
		description:
			'What to do if a run completes without rows, or if none of its pages could be read',
	},
	{
		displayName: 'Max Age (Hours)',
		name: 'maxAge',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 48,
		description:
			'Skip runs that ended longer ago than this, for example while n8n was off. Set to 0 for no limit.',
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
	{
		displayName: 'Webhook',
		name: 'webhook',
		type: 'boolean',
		default: false,
		description:
			'Whether to register a webhook on each robot, so that the workflow starts without delay. Without webhooks, the trigger only polls.',
	},
	...tableFields('getRunFields'),
];

/** The fields of the trigger. n8n adds Poll Times. */
export const triggerProperties = forN8n([
	serverField,
	{
		displayName: 'Watch',
		name: 'watch',
		type: 'options',
		noDataExpression: true,
		required: true,
		options: WATCH,
		default: 'robots',
		description: 'Whose runs start the workflow',
	},
	{
		displayName: 'Robot Names or IDs',
		name: 'robotIds',
		type: 'multiOptions',
		required: true,
		typeOptions: {
			loadOptionsMethod: 'getRobots',
			loadOptionsDependsOn: ['server', 'options.teamId.value'],
		},
		displayOptions: { show: { watch: ['robots'] } },
		default: [],
		description:
			'The robots whose runs start the workflow. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: EVENTS,
		default: ['run_completed'],
		description: 'What starts the workflow',
	},
	eventOutputField,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: sorted(options),
	},
]);

/** Robots as a list, or as comma-separated text. */
const robots = z.preprocess(
	(value) => listed(value, ','),
	z.array(locator(), mustBe('must be a list')).transform((robotIds) => [...new Set(robotIds)]),
);

const Watch = z.object({ watch: oneOf(WATCH) });

const Common = z.object({
	events: notEmpty(several(EVENTS)),
	output: eventOutputParameter,
	options: collection(
		z.object({
			addRobotAndRun: flag().optional(),
			downloadScreenshots: flag().default(false),
			maxAge: count(0).default(0),
			ifNoData: ifNoDataParameter,
			/** All sources if empty. */
			sources: several(SOURCES).default([]),
			teamId: optionalLocator(),
			webhook: flag().default(true),
			...tableParameters,
		}),
	),
});
const WithRobots = Common.extend({ robotIds: notEmpty(robots) });

/**
 * The settings of the trigger. `robotIds` is empty for all robots.
 *
 * A run with changes is a completed run: `needsChanges` says whether it must differ from the previous successful one, which
 * only its data shows. If all completed runs start the workflow, no run has to be compared.
 */
export type TriggerSettings = ReturnType<typeof readSettings>;

/** @throws ZodError for invalid values */
export function readSettings({ parameter }: Pick<TriggerNode, 'parameter'>) {
	const { watch } = Watch.parse({ watch: parameter('watch', 'robots') });
	const read = <S extends z.AnyZodObject>(schema: S): z.output<S> =>
		schema.parse(
			Object.fromEntries(Object.keys(schema.shape).map((name) => [name, parameter(name)])),
		);
	const { options: chosen, ...fields } =
		watch === 'all' ? { ...read(Common), robotIds: [] } : read(WithRobots);
	const events = fields.events.map(
		(event): RunEvent => (event === 'run_changed' ? 'run_completed' : event),
	);
	const needsChanges =
		fields.events.includes('run_changed') && !fields.events.includes('run_completed');
	return { ...fields, ...chosen, events: [...new Set(events)], needsChanges };
}
