import { z } from 'zod';
import { waitingOperation } from '../../engine/operation';
import { agentPromptField, agentUrlField } from '../../fields/agents';
import { temporaryOptionsField, temporaryParameters } from '../../fields/keepRobot';
import { optionalWebAddress, text } from '../../fields/parameters';
import { withoutEmpty } from '../../http/request';
import { agentReady } from '../../runs/agentReady';
import { startTemporary, temporaryName } from '../../runs/temporary';

export const extract = waitingOperation(
	{
		resource: 'web',
		value: 'extract',
		name: 'Extract With Prompt',
		action: 'Extract data with prompt',
		description: 'Get data that a prompt describes in one step, one item per row',
		properties: [agentPromptField, agentUrlField, temporaryOptionsField()],
	},
	z.object({
		prompt: text(),
		url: optionalWebAddress(),
		options: temporaryParameters.default({}),
	}),
	{
		parallel: true,
		needs: ({ agents }) => agents?.create,
		start: async (_create, { prompt, url, options }, context) => {
			const name = temporaryName('extract');
			return await startTemporary(context, {
				kind: 'agent',
				name,
				keep: options.keepRobot,
				create: ({ agents }) => agents?.create(withoutEmpty({ prompt, url, name })),
				ready: async (agentId) => await agentReady(context.maxun, agentId, options.waitFor),
			});
		},
		settings: ({ options }) => ({ ...options, output: 'rows', downloadScreenshots: false }),
	},
);
