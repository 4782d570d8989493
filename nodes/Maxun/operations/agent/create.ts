import { z } from 'zod';
import { idOf, Reply } from '../../api/entities';
import { MaxunFault } from '../../api/fault';
import { definedFields } from '../../api/request';
import { createAgent } from '../../api/robots';
import { operation } from '../../core/operation';
import { flag, optionalWebAddress, text } from '../../core/parameters';
import { agentFields, agentParameters, agentPromptField } from '../../fields/agents';
import { checkAlertFields } from '../../fields/monitoring';
import { minutes, waitForField } from '../../fields/waiting';
import { agentReady } from '../../runs/agents';

const NAMELESS = 'Agent: Get Many shows whether it is there; Wait Until Ready can be switched off';

export const create = operation(
	{
		resource: 'agent',
		value: 'create',
		name: 'Create',
		action: 'Create agent',
		description: 'Let Maxun build a robot from a prompt',
		properties: [
			agentPromptField,
			{
				displayName: 'Wait Until Ready',
				name: 'waitUntilReady',
				type: 'boolean',
				default: true,
				description: 'Whether to go on only when the agent is built, which takes a minute or two',
			},
			{
				...waitForField,
				default: 10,
				displayOptions: { show: { waitUntilReady: [true] } },
				description: 'How long to wait for the agent to be built',
			},
			agentFields,
		],
	},
	z.object({
		prompt: text(),
		waitUntilReady: flag().default(true),
		waitFor: minutes(10),
		additionalFields: z
			.object({ ...agentParameters, url: optionalWebAddress() })
			.superRefine(checkAlertFields)
			.default({}),
	}),
	{
		sideBySide: true,
		perform: {
			cloud: async (api, { prompt, waitUntilReady, waitFor, additionalFields: fields }) => {
				const agent = await api.call(createAgent(definedFields({ prompt, ...fields })), Reply);
				if (!waitUntilReady) return [{ json: agent }];
				const id = idOf(agent);
				if (!id) throw new MaxunFault('Maxun did not say which agent it builds', NAMELESS);
				const ready = agentReady(api, id, waitFor).catch((fault: unknown) => {
					throw fault instanceof MaxunFault ? fault.adding(`Agent ${id} is left in Maxun`) : fault;
				});
				return [{ json: await ready }];
			},
		},
	},
);
