import { z } from 'zod';
import { Run } from '../../api/entities';
import { getRun } from '../../api/runs';
import { operation } from '../../core/operation';
import { locator } from '../../core/parameters';
import { RUN_URL, runField } from '../../fields/locators';
import { downloadScreenshotsField, outputField, outputParameters } from '../../fields/output';
import { itemsOf } from '../../runs/items';

export const get = operation(
	{
		resource: 'run',
		value: 'get',
		name: 'Get',
		action: 'Get run',
		description: 'Retrieve one run with its data',
		properties: [runField, outputField, downloadScreenshotsField],
	},
	z.object({ runId: locator(RUN_URL), ...outputParameters }),
	{
		sideBySide: true,
		perform: {
			cloud: async (api, { runId, ...output }) =>
				await itemsOf(api, await api.call(getRun(runId), Run), output),
		},
	},
);
