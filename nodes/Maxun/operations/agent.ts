import { agentPromptField, agentUrlField, deepExtractionField } from '../fields/agents';
import { additionalFields, optionsOf } from '../fields/collections';
import { promptColumnsField, promptWithColumns } from '../fields/columns';
import { agentField } from '../fields/locators';
import { flagField } from '../fields/field';
import { checkAlertFields, monitoringFields } from '../fields/monitoring';
import { nameField, uniqueNameField } from '../fields/robots';
import { listedOutputField, listedFields, wanted } from '../fields/output';
import { runFilter, runFiltersField } from '../fields/runFilters';
import { timeoutField } from '../fields/waiting';
import { recover, type MaxunFault } from '../http/fault';
import { withoutEmpty } from '../http/request';
import { entryOutput, FIELDS_WITH_SCHEDULE } from '../results/robotOutput';
import { LISTED_RUN_FIELDS } from '../results/rows';
import { builtAgent, remainingAgent, startAgent } from '../runs/agentReady';
import { withoutTemporary } from '../runs/expiry';
import { Busy } from '../servers/busy';
import { idOf } from '../servers/entities';
import { called, deletion, operation, reading, type Resource, waitingOperation } from './operation';
import { startingOperations } from './starting';

const create = waitingOperation({
	...called('create', 'Create', 'agent'),
	description: 'Let Maxun build a robot from a prompt',
	properties: [
		agentPromptField,
		flagField(
			'Wait Until Ready',
			'waitUntilReady',
			'Whether to wait until the agent is built, which takes a minute or two',
		),
		additionalFields(
			[...monitoringFields, deepExtractionField, nameField, agentUrlField, promptColumnsField],
			checkAlertFields,
		),
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
	needs: ({ agents }) => agents,
	startsRun: false,
	start: async (agents, { prompt, waitUntilReady, additionalFields }, context) => {
		const { maxun, robot, onCreated } = context;
		const { columns, ...fields } = additionalFields;
		const body = withoutEmpty({ prompt: promptWithColumns(prompt, columns), ...fields });
		const mayHaveHappened = (fault: MaxunFault): never => {
			const named = fields.name ? `An agent named '${fields.name}'` : 'The agent';
			throw fault.adding(`${named} may exist in Maxun. To find it, use Agent: Get Many`);
		};
		const created = robot ? undefined : await recover(agents.create(body), { mayHaveHappened });
		if (created && !waitUntilReady) return [{ json: created }];
		const agentId = robot?.robotId ?? String(idOf({ ...created }));
		if (!robot) onCreated?.({ kind: 'agent', robotId: agentId, stays: true });
		const built = await recover(builtAgent(maxun, agentId), {
			any: (fault) => {
				throw fault instanceof Busy ? fault : remainingAgent(fault, agentId);
			},
		});
		return [{ json: built }];
	},
	settings: ({ options: { timeoutMinutes } }) => ({
		timeoutMinutes,
		delayBeforeStart: 0,
		onTimeout: 'error',
		output: 'raw',
	}),
});

const { runAndWait, start } = startingOperations({
	locator: agentField,
	noun: 'an agent',
	needs: ({ agents }) => agents,
	startRun: startAgent,
});

const getAll = reading({
	...called('getAll', 'Get Many', 'agents'),
	description: 'Retrieve a list of agents, newest first',
	properties: listedFields,
	needs: ({ agents }) => agents.list,
	run: async (list, form) =>
		(await withoutTemporary(list, wanted(form))).map(entryOutput(form, FIELDS_WITH_SCHEDULE)),
});

const remove = deletion(
	'agent',
	'Delete an agent and all its runs permanently',
	[agentField],
	({ agents }) => agents.delete,
);

const get = reading({
	...called('get', 'Get', 'agent'),
	description: 'Retrieve an agent with its status and prompt',
	properties: [agentField, listedOutputField],
	needs: ({ agents }) => agents.get,
	run: async (get, { agentId, ...form }) =>
		entryOutput(form, FIELDS_WITH_SCHEDULE)(await get(agentId)),
});

const getRuns = reading({
	value: 'getRuns',
	name: 'Get Runs',
	action: 'Get agent runs',
	description: "Retrieve an agent's runs without their data, newest first",
	properties: [agentField, ...listedFields, runFiltersField],
	needs: ({ agents }) => agents.listRuns,
	run: async (list, { agentId, filters, ...form }, { timezone }) => {
		const runs = await list(agentId, runFilter(filters, timezone), wanted(form));
		return runs.map(entryOutput(form, LISTED_RUN_FIELDS));
	},
});

const update = operation({
	...called('update', 'Rename', 'agent'),
	description: "Change an agent's name",
	properties: [agentField, uniqueNameField],
	needs: ({ agents }) => agents.rename,
	run: async (rename, { agentId, name }) => ({ id: agentId, ...(await rename(agentId, name)) }),
});

export const agent: Resource = {
	name: 'Agent',
	value: 'agent',
	description: 'Robots that Maxun builds from a prompt',
	operations: [runAndWait, start, create, get, getAll, getRuns, update, remove],
};
