import { flagField, textField } from './field';
import type { Problem } from './parameters';
import { ifServerHas } from './server';

export const alertEmailField = textField(
	'Alert Email',
	'alertEmail',
	"Email address to send alerts to, instead of the robot owner's address",
	{ placeholder: 'e.g. nathan@example.com', ...ifServerHas('alerts') },
);

export const alertsField = flagField(
	'Send Alerts',
	'alertsEnabled',
	"Whether to send an email when a run finds changes. Requires 'Compare Runs'.",
	ifServerHas('alerts'),
);

export const compareRunsField = flagField(
	'Compare Runs',
	'compareRuns',
	'Whether to compare each run with the previous run and flag changes',
);

export const monitoringPromptField = textField(
	'Monitoring Prompt',
	'monitoringPrompt',
	'What counts as a change, in plain language',
	{
		typeOptions: { rows: 2 },
		placeholder: 'e.g. Only price changes matter',
		...ifServerHas('alerts'),
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
