import { z } from 'zod';
import { startRun } from '../../api/runs';
import { operation } from '../../core/operation';
import { locator } from '../../core/parameters';
import { robotField } from '../../fields/locators';
import { downloadScreenshotsField, outputField, outputParameters } from '../../fields/output';
import {
	startBody,
	waitingRunOptionsField,
	waitingRunOptionsParameter,
	waitSettings,
} from '../../fields/runs';
import { waitFields, waitParameters } from '../../fields/waiting';
import { runOnOwnServer } from '../../runs/selfHosted';
import { started } from '../../runs/start';

export const runAndWait = operation(
	{
		resource: 'run',
		value: 'runAndWait',
		name: 'Run and Wait',
		action: 'Run a robot and wait for its data',
		description: 'Start a robot and go on with its data when the run has ended',
		properties: [
			robotField,
			outputField,
			downloadScreenshotsField,
			...waitFields,
			waitingRunOptionsField,
		],
	},
	z.object({
		robotId: locator(),
		...outputParameters,
		...waitParameters,
		options: waitingRunOptionsParameter,
	}),
	{
		sideBySide: true,
		start: {
			cloud: async (api, { robotId, options }) =>
				await started(api, robotId, startRun('robots', robotId, startBody(options))),
		},
		settings: waitSettings,
		perform: {
			selfHosted: async (api, { robotId, options, ...settings }) =>
				await runOnOwnServer(api, robotId, settings, options.pauseBeforeStart * 1000),
		},
		atOnce: ({ options }) => options.maxRuns,
	},
);
