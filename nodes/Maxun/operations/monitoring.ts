import { updateFields } from '../fields/collections';
import { called, operation, reading, type Resource } from './operation';
import { choiceField, type Field, named } from '../fields/field';
import { robotField, runField } from '../fields/locators';
import {
	alertEmailField,
	alertsField,
	compareRunsField,
	monitoringPromptField,
} from '../fields/monitoring';
import { clearableText } from '../fields/parameters';
import { onlyWith } from '../fields/server';
import { MaxunFault } from '../http/fault';
import type { ServerParts } from '../servers/types';

const get = reading({
	...called('get', 'Get', 'monitoring settings'),
	description: "Retrieve a robot's settings for comparing runs",
	properties: [robotField],
	needs: ({ monitoring }) => monitoring.get,
	run: async (get, { robotId }) => ({ robotId, ...(await get(robotId)) }),
});

const getDiff = reading({
	value: 'getDiff',
	name: 'Get Diff',
	action: 'Get run diff',
	description: 'Retrieve what changed between a run and the previous run, line by line',
	properties: [
		onlyWith('runsByRobot', robotField),
		runField,
		choiceField('Format', 'format', 'What to compare', {
			options: [
				{ name: 'All', value: '', description: 'All formats that changed' },
				...named({
					'Captured List': 'captured-list',
					'Captured Text': 'captured-text',
					HTML: 'html',
					Markdown: 'markdown',
					Text: 'text',
				}),
			],
		}),
	],
	needs: ({ monitoring }) => monitoring.getDiff,
	run: async (readDiff, { robotId, runId, format }) => ({
		runId,
		...(await readDiff(runId, format, robotId)),
	}),
});

const clearable = <const F extends Field>(field: F) =>
	({
		...field,
		description: `${field.description}. Leave empty to remove it.`,
		schema: clearableText(),
	}) as const satisfies Field;

/** This update or an earlier one must have turned on Compare Runs. */
async function checkAlerts(
	monitoring: ServerParts['monitoring'],
	robotId: string,
	{ alertsEnabled, compareRuns }: { alertsEnabled?: boolean; compareRuns?: boolean },
) {
	if (!alertsEnabled || compareRuns) return;
	const isOn = compareRuns === undefined && (await monitoring.get(robotId)).compareRuns === true;
	if (isOn) return;
	throw new MaxunFault(
		"'Send Alerts' requires 'Compare Runs', which is off for this robot",
		"Add 'Compare Runs' to the fields of this node and turn it on",
	);
}

const update = operation({
	...called('update', 'Update', 'monitoring settings'),
	description: "Change a robot's settings for comparing runs. Other settings stay the same.",
	properties: [
		robotField,
		updateFields([
			clearable(alertEmailField),
			alertsField,
			compareRunsField,
			clearable(monitoringPromptField),
		]),
	],
	needs: ({ monitoring }) => monitoring,
	run: async (monitoring, { robotId, updateFields: fields }) => {
		await checkAlerts(monitoring, robotId, fields);
		return { robotId, ...(await monitoring.update(robotId, fields)) };
	},
});

export const monitoring: Resource = {
	name: 'Monitoring',
	value: 'monitoring',
	description: 'Let Maxun compare the runs of your robots',
	operations: [getDiff, get, update],
};
