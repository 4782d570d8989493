import { waitingOperation } from '../operation';
import { agentPromptField, agentUrlField, deepExtractionField } from '../../fields/agents';
import { onlyTableFields, promptWithColumns } from '../../fields/columns';
import { temporaryOptionsField } from '../../fields/keepRobot';
import { withoutEmpty } from '../../http/request';
import { oneStep } from '../oneStep';

export const extract = waitingOperation(
	{
		resource: 'web',
		value: 'extract',
		name: 'Extract With Prompt',
		action: 'Extract data with prompt',
		description: 'In one step, get the data that a prompt describes, one item per row',
		builderHint:
			'Use this to extract fields that are only described in words. It is slow. If you know the CSS selectors, use Extract With Selectors instead.',
		properties: [
			agentPromptField,
			agentUrlField,
			temporaryOptionsField([...onlyTableFields(), deepExtractionField]),
		],
	},
	oneStep({
		operation: 'extract',
		kind: 'agent',
		needs: ({ agents }) => agents?.create,
		origin: ({ url, prompt }) => (url ? { url } : { prompt }),
		create: async (create, { prompt, url, options: { columns, deepExtraction } }, name) =>
			await create(
				withoutEmpty({ prompt: promptWithColumns(prompt, columns), url, name, deepExtraction }),
			),
	}),
);
