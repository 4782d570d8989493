import { z } from 'zod';
import { definedFields } from '../../api/request';
import { createAgent } from '../../api/robots';
import { operation } from '../../core/operation';
import { optionalWebAddress, text } from '../../core/parameters';
import { agentPromptField, agentUrlField } from '../../fields/agents';
import { temporaryWaitFields, waitParameters } from '../../fields/waiting';
import { keepRobotField, keepRobotParameter } from '../../fields/web';
import { agentReady } from '../../runs/agents';
import { startTemporary, temporaryName } from '../../runs/start';

export const extract = operation(
	{
		resource: 'web',
		value: 'extract',
		name: 'Extract With Prompt',
		action: 'Extract data with a prompt',
		description: 'Get data that is described in plain words in one step, one item a row',
		properties: [agentPromptField, agentUrlField, ...temporaryWaitFields, keepRobotField],
	},
	z.object({
		prompt: text(),
		url: optionalWebAddress(),
		keepRobot: keepRobotParameter,
		...waitParameters,
	}),
	{
		sideBySide: true,
		start: {
			cloud: async (api, { prompt, url, keepRobot, waitFor }) => {
				const name = temporaryName('extract');
				return await startTemporary(api, {
					kind: 'agent',
					name,
					keep: keepRobot,
					create: createAgent(definedFields({ prompt, url, name })),
					ready: async (agentId) => await agentReady(api, agentId, waitFor),
				});
			},
		},
		settings: (params) => ({ ...params, output: 'rows', downloadScreenshots: false }),
	},
);
