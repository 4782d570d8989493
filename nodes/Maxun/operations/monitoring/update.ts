import { z } from 'zod';
import { Reply } from '../../api/entities';
import { MaxunFault } from '../../api/fault';
import { getMonitoring } from '../../api/monitoring';
import { path } from '../../api/request';
import { operation, type Api } from '../../core/operation';
import { atLeastOne, clearableText, flag, locator } from '../../core/parameters';
import { robotField } from '../../fields/locators';
import { monitoringFields } from '../../fields/monitoring';
import { updateFields } from '../../fields/robots';

const CLEARABLE = ['alertEmail', 'monitoringPrompt'];

const changes = atLeastOne({
	alertEmail: clearableText(),
	alertsEnabled: flag().optional(),
	compareRuns: flag().optional(),
	monitoringPrompt: clearableText(),
});

/** Alerts are about compared runs: they need the comparison switched on, by this update or before. */
async function checkAlerts(
	api: Api,
	robotId: string,
	{ alertsEnabled, compareRuns }: z.output<typeof changes>,
) {
	if (!alertsEnabled || compareRuns) return;
	const isOn =
		compareRuns === undefined &&
		(await api.call(getMonitoring(robotId), Reply)).compareRuns === true;
	if (!isOn) {
		throw new MaxunFault(
			'Alerts Enabled needs Compare Runs, which is off for this robot',
			'Add Compare Runs to the fields of this node and switch it on',
		);
	}
}

export const update = operation(
	{
		resource: 'monitoring',
		value: 'update',
		name: 'Update',
		action: 'Update monitoring settings',
		description:
			'Set whether and how the runs of a robot are compared; what is not set stays as it is',
		properties: [
			robotField,
			updateFields(
				monitoringFields.map((field) =>
					CLEARABLE.includes(field.name)
						? { ...field, description: `${field.description}, leave empty to remove it` }
						: field,
				),
			),
		],
	},
	z.object({ robotId: locator(), updateFields: changes }),
	{
		perform: {
			cloud: async (api, { robotId, updateFields: body }) => {
				await checkAlerts(api, robotId, body);
				const request = { method: 'PUT' as const, path: path`/robots/${robotId}/monitoring`, body };
				return [{ json: { robotId, ...(await api.call(request, Reply)) } }];
			},
		},
	},
);
