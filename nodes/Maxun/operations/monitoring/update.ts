import { z } from 'zod';
import { operation } from '../operation';
import { robotField } from '../../fields/locators';
import { monitoringFields } from '../../fields/monitoring';
import { atLeastOne, clearableText, flag, locator } from '../../fields/parameters';
import { updateFields } from '../../fields/robots';
import { MaxunFault } from '../../http/fault';
import type { ServerParts } from '../../servers/types';

const CLEARABLE = ['alertEmail', 'monitoringPrompt'];

const changes = atLeastOne({
	alertEmail: clearableText(),
	alertsEnabled: flag().optional(),
	compareRuns: flag().optional(),
	monitoringPrompt: clearableText(),
});

/** Alerts require Compare Runs, turned on by this update or before. */
async function checkAlerts(
	monitoring: NonNullable<ServerParts['monitoring']>,
	robotId: string,
	{ alertsEnabled, compareRuns }: z.output<typeof changes>,
) {
	if (!alertsEnabled || compareRuns) return;
	const isOn = compareRuns === undefined && (await monitoring.get(robotId)).compareRuns === true;
	if (isOn) return;
	throw new MaxunFault(
		"'Send Alerts' requires 'Compare Runs', which is off for this robot",
		"Add 'Compare Runs' to the fields of this node and turn it on",
	);
}

export const update = operation(
	{
		resource: 'monitoring',
		value: 'update',
		name: 'Update',
		action: 'Update monitoring settings',
		description: "Change a robot's settings for comparing runs. Other settings stay the same.",
		properties: [
			robotField,
			updateFields(
				monitoringFields.map((field) =>
					CLEARABLE.includes(field.name)
						? { ...field, description: `${field.description}. Leave empty to remove it.` }
						: field,
				),
			),
		],
	},
	z.object({ robotId: locator(), updateFields: changes }),
	{
		needs: ({ monitoring }) => monitoring,
		run: async (monitoring, { robotId, updateFields: fields }) => {
			await checkAlerts(monitoring, robotId, fields);
			return { robotId, ...(await monitoring.update(robotId, fields)) };
		},
	},
);
