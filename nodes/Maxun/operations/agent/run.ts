import { waitingOperation } from '../operation';
import { inputsField } from '../../fields/inputs';
import { agentField } from '../../fields/locators';
import { checkSelectedFields, outputFields } from '../../fields/output';
import { runOptionsFieldWhen, startOptions } from '../../fields/runOptions';
import { shownWhen } from '../../fields/waiting';
import { startAgent } from '../../runs/agentReady';

export const runAgent = waitingOperation(
	{
		value: 'run',
		name: 'Run',
		action: 'Run agent',
		description: 'Start an agent and return its data when the run has ended',
		properties: [
			agentField,
			inputsField('agentId'),
			{
				displayName: 'Wait for the Run to End',
				name: 'waitForCompletion',
				type: 'boolean',
				default: true,
				description: 'Whether to wait for the run and return its data',
			},
			...shownWhen('waitForCompletion', outputFields),
			runOptionsFieldWhen('waitForCompletion'),
		],
		rule: checkSelectedFields,
	},
	{
		parallel: true,
		needs: ({ agents }) => agents,
		waits: ({ waitForCompletion }) => waitForCompletion,
		start: async (_agents, params, { maxun, item }) =>
			await startAgent(maxun, params.agentId, startOptions(params, item)),
		settings: ({ agentId: robotId, options, output, fields }) => ({
			...options,
			robotId,
			output,
			fields,
		}),
	},
);
