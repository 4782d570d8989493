import { shownIf, type Field } from './field';
import type { Problem } from './parameters';
import { optionOnlyWith } from './server';

export const alertEmailField = optionOnlyWith('alerts', {
	displayName: 'Alert Email',
	name: 'alertEmail',
	type: 'string',
	placeholder: 'e.g. nathan@example.com',
	default: '',
	description: "Email address to send alerts to, instead of the robot owner's address",
});

export const alertsField = optionOnlyWith('alerts', {
	displayName: 'Send Alerts',
	name: 'alertsEnabled',
	type: 'boolean',
	default: true,
	description: "Whether to send an email when a run finds changes. Requires 'Compare Runs'.",
});

export const compareRunsField = {
	displayName: 'Compare Runs',
	name: 'compareRuns',
	type: 'boolean',
	default: true,
	description: 'Whether to compare each run with the previous one and flag changes',
} as const satisfies Field;

export const monitoringPromptField = optionOnlyWith('alerts', {
	displayName: 'Monitoring Prompt',
	name: 'monitoringPrompt',
	type: 'string',
	typeOptions: { rows: 2 },
	placeholder: 'e.g. Only price changes matter',
	default: '',
	description: 'What counts as a change, in plain language',
});

export const whatMattersField = shownIf(
	{ '/watch': ['page'] },
	{
		...monitoringPromptField,
		displayName: 'What Matters',
		name: 'whatMatters',
		description:
			'Which changes start the workflow, in plain language. Maxun decides for each check.',
	},
);

export const monitoringFields = [
	alertEmailField,
	alertsField,
	compareRunsField,
	monitoringPromptField,
];

/** Alerts report changes, so they require Compare Runs. */
export const checkAlertFields = (given: {
	alertsEnabled?: boolean;
	compareRuns?: boolean;
}): Problem =>
	given.alertsEnabled && !given.compareRuns
		? [[['alertsEnabled'], "requires 'Compare Runs'"]]
		: undefined;
