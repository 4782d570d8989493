import { z } from 'zod';
import { Run } from '../../api/entities';
import { getRun } from '../../api/runs';
import { getRunOf } from '../../api/selfHosted/requests';
import { operation } from '../../core/operation';
import { locator, optionalLocator } from '../../core/parameters';
import { given, RUN_URL, robotField, runField } from '../../fields/locators';
import { onlyOn } from '../../fields/server';
import { downloadScreenshotsField, outputField, outputParameters } from '../../fields/output';
import { itemsOf } from '../../runs/items';

export const get = operation(
	{
		resource: 'run',
		value: 'get',
		name: 'Get',
		action: 'Get run',
		description: 'Retrieve one run with its data',
		properties: [onlyOn('selfHosted', robotField), runField, outputField, downloadScreenshotsField],
	},
	z.object({ robotId: optionalLocator(), runId: locator(RUN_URL), ...outputParameters }),
	{
		sideBySide: true,
		perform: {
			cloud: async (api, { runId, ...output }) =>
				await itemsOf(api, await api.call(getRun(runId), Run), output),
			selfHosted: async (api, { robotId, runId, ...output }) =>
				await itemsOf(api, await api.call(getRunOf(given(robotId), runId), Run), output),
		},
	},
);
