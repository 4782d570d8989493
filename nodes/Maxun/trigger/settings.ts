import { changeFields, changeSettings, comparisonOf } from '../fields/changes';
import { dataChecksOfEventField } from '../fields/dataChecks';
import { optionsOf } from '../fields/collections';
import { onlyTableFields } from '../fields/columns';
import {
	choice,
	choiceField,
	choicesField,
	flagField,
	forN8n,
	numberField,
	schemaOf,
	shownIf,
	switchField,
	type Field,
} from '../fields/field';
import { fromList, loadedFrom } from '../fields/lists';
import { downloadScreenshotsField, eventOutputField } from '../fields/output';
import { locator, manyOf, mustNotBeEmpty, withRule } from '../fields/parameters';
import { SOURCES } from '../fields/runFilters';
import { teamField } from '../fields/locators';
import { ifServerHas, serverField } from '../fields/server';
import { FAIL_RUN, ifNoDataField, outcomeOption, SKIP_RUN } from '../fields/waiting';
import type { MaxunServer } from '../servers/types';
import type { TriggerNode } from './triggerNode';

/** How a run ended. Maxun doesn't send an event for canceled runs. Only lists show them. */
export type RunEvent = 'run_completed' | 'run_failed' | 'run_canceled';

const EVENT_CHOICES = [
	choice('Run Completed', 'run_completed', 'When a run completes'),
	choice(
		'Run Found Changes',
		'run_changed',
		'When a run differs from the last completed run with data. The items are the rows or pages that were added, changed or removed.',
	),
	choice('Run Failed', 'run_failed', 'When a run fails'),
	choice('Run Canceled', 'run_canceled', 'When a run is canceled'),
] as const satisfies Field['options'];

/** The triggers in n8n's node panel. The selected trigger sets the defaults of the fields below. */
const entryField = {
	displayName: 'Event',
	name: 'entry',
	type: 'hidden',
	options: EVENT_CHOICES.map((event) => ({ ...event, action: `On ${event.name.toLowerCase()}` })),
	default: '',
} satisfies Field;

const optionsField = optionsOf([
	flagField(
		'Add Robot and Run to Rows',
		'addRobotAndRun',
		'Whether each row or change also contains the event, the robot and the run. By default, only if you watch several robots.',
	),
	downloadScreenshotsField,
	dataChecksOfEventField,
	{
		...ifNoDataField,
		options: [SKIP_RUN, outcomeOption('item', 'Start the workflow with the run'), FAIL_RUN],
		description:
			'What to do if a completed run has no rows. By default, the trigger ignores the run, or fails if an earlier run has rows.',
	},
	numberField(
		'Max Age of Missed Runs (Hours)',
		'maxAge',
		'Skip runs that ended more than this many hours before the latest run, for example while n8n was off. Set to 0 for no limit.',
		{ typeOptions: { minValue: 0 }, default: 0, ifAbsent: 0 },
	),
	choicesField(
		'Started By',
		'sources',
		'Only start the workflow for runs that were started in one of these ways',
		{ options: SOURCES, ifAbsent: [] },
	),
	{ ...teamField, ...ifServerHas('teams') },
	switchField(
		'Poll Only',
		'pollOnly',
		'Whether to only poll, without webhooks. The workflow then starts at the next poll.',
	),
	...onlyTableFields('getRunFields'),
]);

const comparisonField = comparisonOf(changeFields);

const robotsSchema = manyOf(locator()).transform((robotIds) => [...new Set(robotIds)]);

const eventsField = choicesField('Trigger On', 'events', 'What starts the workflow', {
	required: true,
	options: EVENT_CHOICES,
	default: ['run_completed'],
	rule: mustNotBeEmpty,
});

const FIELDS = [
	choiceField('Watch', 'watch', 'What the trigger watches', {
		noDataExpression: true,
		required: true,
		options: [
			choice('Robots', 'robots', 'The robots that you select'),
			choice(
				'All Robots',
				'all',
				'All robots of the account or team, including those that you add later',
			),
		],
		default: 'robots',
	}),
	choicesField(
		'Robot Names or IDs',
		'robotIds',
		`The robots whose runs start the workflow. ${fromList('IDs')}`,
		{
			required: true,
			typeOptions: loadedFrom('getRobots', []),
			displayOptions: { show: { watch: ['robots'] } },
			schema: robotsSchema,
			rule: mustNotBeEmpty,
		},
	),
	eventsField,
	eventOutputField,
	comparisonField,
	optionsField,
] as const satisfies Field[];

/** n8n adds Poll Times. */
export const triggerProperties = forN8n([
	serverField,
	entryField,
	...FIELDS.slice(0, 2),
	...EVENT_CHOICES.map(({ value }) => {
		const entry = value === 'run_completed' ? ['', value] : [value];
		return shownIf({ entry }, { ...eventsField, default: [value] });
	}),
	eventOutputField,
	shownIf({ events: ['run_changed'] }, comparisonField),
	optionsField,
]);

const TriggerForm = withRule(schemaOf([...FIELDS]), ({ events, comparison: { onlyIf } }) =>
	events.includes('run_changed') && events.includes('run_completed') && onlyIf.length > 0
		? [[['comparison', 'onlyIf'], ONLY_CHANGES]]
		: undefined,
);

const ONLY_CHANGES = `requires changes as the only successful event in '${eventsField.displayName}'`;

/**
 * `robotIds` is empty for all robots. `needsChanges` says whether a completed run must differ from the previous run.
 */
export type TriggerSettings = ReturnType<typeof readSettings>;

/** A trigger with its server. `given` may have names instead of IDs. */
export interface Connected {
	trigger: TriggerNode;
	maxun: MaxunServer;
	given: TriggerSettings;
}

/** @throws ZodError for invalid values */
export function readSettings({ parameter }: Pick<TriggerNode, 'parameter'>) {
	const watch = parameter('watch', 'robots');
	const shown = FIELDS.filter(({ name }) => name !== 'robotIds' || watch === 'robots');
	const given = Object.fromEntries(
		shown.map(({ name }) => [name, parameter(name, null) ?? undefined]),
	);
	const {
		options,
		comparison,
		events: selected,
		...fields
	} = TriggerForm.parse({ ...given, watch });
	const isCompleted = selected.includes('run_completed');
	const events = selected.map(
		(event): RunEvent => (event === 'run_changed' ? 'run_completed' : event),
	);
	return {
		...fields,
		...options,
		...changeSettings(comparison),
		robotIds: fields.robotIds ?? [],
		events: [...new Set(events)],
		needsChanges: selected.includes('run_changed') && !isCompleted,
	};
}
