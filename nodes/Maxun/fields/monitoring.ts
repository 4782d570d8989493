import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod';
import { flag, optionalText } from '../core/parameters';

/** How runs of a robot are compared, as optional fields. */
export const monitoringFields: INodeProperties[] = [
	{
		displayName: 'Alert Email',
		name: 'alertEmail',
		type: 'string',
		placeholder: 'e.g. nathan@example.com',
		default: '',
		description: 'Where alerts are sent instead of to the owner of the robot',
	},
	{
		displayName: 'Alerts Enabled',
		name: 'alertsEnabled',
		type: 'boolean',
		default: false,
		description: 'Whether to send an email when a run has changes, which needs Compare Runs',
	},
	{
		displayName: 'Compare Runs',
		name: 'compareRuns',
		type: 'boolean',
		default: false,
		description: 'Whether to compare each run with the one before and flag what differs',
	},
	{
		displayName: 'Monitoring Prompt',
		name: 'monitoringPrompt',
		type: 'string',
		typeOptions: { rows: 2 },
		placeholder: 'e.g. Only price changes matter',
		default: '',
		description: 'What counts as a change, in plain words, judged by AI',
	},
];

export const monitoringParameters = {
	alertEmail: optionalText(),
	alertsEnabled: flag().optional(),
	compareRuns: flag().optional(),
	monitoringPrompt: optionalText(),
};

/** The rule among the fields of a new robot: alerts are about compared runs. */
export function checkAlertFields(
	{ alertsEnabled, compareRuns }: { alertsEnabled?: boolean; compareRuns?: boolean },
	context: z.RefinementCtx,
): void {
	if (!alertsEnabled || compareRuns) return;
	context.addIssue({
		code: 'custom',
		path: ['alertsEnabled'],
		message: 'needs Compare Runs to be on',
	});
}
