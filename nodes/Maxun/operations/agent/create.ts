import { operation } from '../operation';
import { optionsOf } from '../../fields/collections';
import { agentFields, agentPromptField } from '../../fields/agents';
import { promptWithColumns } from '../../fields/columns';
import { timeoutField } from '../../fields/waiting';
import { MaxunFault, recover } from '../../http/fault';
import { withoutEmpty } from '../../http/request';
import { agentReady } from '../../runs/agentReady';
import { agentIsBuilt } from '../../runs/early';
import { idOf } from '../../servers/entities';

const withoutId = () =>
	new MaxunFault(
		'Maxun did not return the ID of the agent',
		"To check whether Maxun created it, use Agent: Get Many. To continue without the ID, turn off 'Wait Until Ready'",
		{ mayHaveHappened: true },
	);

export const create = operation(
	{
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
				description: 'Whether to wait until the agent is built, which takes a minute or two',
			},
			agentFields,
			optionsOf([
				{
					...timeoutField,
					default: 10,
					ifAbsent: 10,
					displayOptions: { show: { '/waitUntilReady': [true] } },
					description: 'Maximum number of minutes to wait for the agent',
				},
			]),
		],
	},
	{
		parallel: true,
		needs: ({ agents }) => agents,
		run: async (
			agents,
			{ prompt, waitUntilReady, additionalFields, options },
			{ maxun, returnAt },
		) => {
			const { columns, ...fields } = additionalFields;
			const body = { prompt: promptWithColumns(prompt, columns), ...fields };
			const agent = await agents.create(withoutEmpty(body));
			if (!waitUntilReady) return agent;
			const id = idOf(agent);
			if (!id) throw withoutId();
			const built = await recover(agentReady(maxun, id, options.timeoutMinutes, returnAt), {
				any: (fault) => {
					// Another attempt would create another agent.
					throw fault.adding(`Agent ${id} remains in Maxun`).with({ mayHaveHappened: true });
				},
			});
			return built ?? agentIsBuilt(id).map(({ json }) => json);
		},
	},
);
