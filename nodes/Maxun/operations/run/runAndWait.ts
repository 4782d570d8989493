import { z } from 'zod';
import { StartedRun } from '../../api/entities';
import { path } from '../../api/request';
import { operation } from '../../core/operation';
import { locator } from '../../core/parameters';
import { robotField } from '../../fields/locators';
import { downloadScreenshotsField, outputField, outputParameters } from '../../fields/output';
import { runOptionsField, runOptionsParameter, startBody } from '../../fields/runs';
import { waitFields, waitParameters } from '../../fields/waiting';

export const runAndWait = operation(
	{
		resource: 'run',
		value: 'runAndWait',
		name: 'Run and Wait',
		action: 'Run a robot and wait for its data',
		description: 'Start a robot and go on with its data when the run has ended',
		properties: [robotField, outputField, downloadScreenshotsField, ...waitFields, runOptionsField],
	},
	z.object({
		robotId: locator(),
		...outputParameters,
		...waitParameters,
		options: runOptionsParameter,
	}),
	{
		sideBySide: true,
		start: {
			cloud: async (api, { robotId, options }) => {
				const request = { path: path`/robots/${robotId}/runs`, body: startBody(options) };
				const run = await api.call({ method: 'POST', ...request }, StartedRun);
				return { runId: run.id, robotId };
			},
		},
		settings: (params) => params,
	},
);
