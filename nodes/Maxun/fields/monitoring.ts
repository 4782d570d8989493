import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod';
import { flag, optionalText } from './parameters';
import { optionOnlyWith } from './server';

/** Optional fields for comparing the runs of a robot. */
export const monitoringFields: INodeProperties[] = [
	optionOnlyWith('alerts', {
		displayName: 'Alert Email',
		name: 'alertEmail',
		type: 'string',
		placeholder: 'e.g. nathan@example.com',
		default: '',
		description: "Email address to send alerts to, instead of the robot owner's address",
	}),
	optionOnlyWith('alerts', {
		displayName: 'Send Alerts',
		name: 'alertsEnabled',
		type: 'boolean',
		default: false,
		description: "Whether to send an email when a run finds changes. Requires 'Compare Runs'.",
	}),
	{
		displayName: 'Compare Runs',
		name: 'compareRuns',
		type: 'boolean',
		default: false,
		description: 'Whether to compare each run with the previous one and flag changes',
	},
	optionOnlyWith('alerts', {
		displayName: 'Monitoring Prompt',
		name: 'monitoringPrompt',
		type: 'string',
		typeOptions: { rows: 2 },
		placeholder: 'e.g. Only price changes matter',
		default: '',
		description: 'What counts as a change, in plain language',
	}),
];

export const monitoringParameters = {
	alertEmail: optionalText(),
	alertsEnabled: flag().optional(),
	compareRuns: flag().optional(),
	monitoringPrompt: optionalText(),
};

/** Checks that runs are compared if alerts are enabled, because alerts report changes. */
export function checkAlertFields(
	{ alertsEnabled, compareRuns }: { alertsEnabled?: boolean; compareRuns?: boolean },
	context: z.RefinementCtx,
): void {
	if (!alertsEnabled || compareRuns) return;
	context.addIssue({
		code: 'custom',
		path: ['alertsEnabled'],
		message: "requires 'Compare Runs'",
	});
}
