import { z } from 'zod';
import { startRun } from '../../api/runs';
import { operation } from '../../core/operation';
import { flag, locator } from '../../core/parameters';
import { agentField } from '../../fields/locators';
import { downloadScreenshotsField, outputField, outputParameters } from '../../fields/output';
import {
	startBody,
	waitingRunOptionsField,
	waitingRunOptionsParameter,
	waitSettings,
} from '../../fields/runs';
import { shownWhen, waitFields, waitParameters } from '../../fields/waiting';
import { started } from '../../runs/start';

export const run = operation(
	{
		resource: 'agent',
		value: 'run',
		name: 'Run',
		action: 'Run agent',
		description: 'Start an agent and go on with its data when the run has ended',
		properties: [
			agentField,
			{
				displayName: 'Wait for Completion',
				name: 'waitForCompletion',
				type: 'boolean',
				default: true,
				description: 'Whether to go on with the data when the run has ended, or at once without it',
			},
			...shownWhen('waitForCompletion', [outputField, downloadScreenshotsField, ...waitFields]),
			waitingRunOptionsField,
		],
	},
	z.object({
		agentId: locator(),
		waitForCompletion: flag().default(true),
		...outputParameters,
		...waitParameters,
		options: waitingRunOptionsParameter,
	}),
	{
		sideBySide: true,
		waits: ({ waitForCompletion }) => waitForCompletion,
		start: {
			cloud: async (api, { agentId, options }) =>
				await started(api, agentId, startRun('agents', agentId, startBody(options))),
		},
		settings: waitSettings,
	},
);
