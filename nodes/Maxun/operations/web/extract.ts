import { z } from 'zod';
import { waitingOperation } from '../../engine/operation';
import { agentPromptField, agentUrlField } from '../../fields/agents';
import { temporaryOptionsField, temporaryParameters } from '../../fields/keepRobot';
import { optionalWebAddress, text } from '../../fields/parameters';
import { withoutEmpty } from '../../http/request';
import { agentReady } from '../../runs/agentReady';
import { startTemporary } from '../../runs/temporary';

export const extract = waitingOperation(
	{
		resource: 'web',
		value: 'extract',
		name: 'Extract With Prompt',
		action: 'Extract data with prompt',
		description: 'Get data described in a prompt in one step, one item per row',
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
		start: async (_create, { prompt, url, options }, context) =>
			await startTemporary(context, {
				kind: 'agent',
				what: 'extract',
				keep: options.keepRobot,
				create: ({ agents }, name) => agents?.create(withoutEmpty({ prompt, url, name })),
				ready: async (agentId) => await agentReady(context.maxun, agentId, options.waitFor),
			}),
		settings: ({ options }) => ({ ...options, output: 'rows', downloadScreenshots: false }),
	},
);
