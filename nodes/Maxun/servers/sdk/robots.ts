import { randomString, type IDataObject } from 'n8n-workflow';
import { MaxunFault, recover } from '../../http/fault';
import { withoutUndefined } from '../../http/request';
import { findLost } from '../lost';
import {
	completeStoredRobot,
	createStoredRobot,
	listStoredRobots,
	readStoredRobot,
	robotOf,
	updateStoredRobot,
	type StoredRobot,
} from './storedRobot';
import type { ServerConnection, ServerParts } from '../types';
import type { ExtractDefinition, ReadList } from '../definition';
import { describe, readListOf, listsIn } from './describe';
import { explainRefusal } from './refusal';
import {
	completeWorkflow,
	draftOf,
	isList,
	lastPageOf,
	storedSelectors,
	withField,
	withSettings,
	type Workflow,
} from './workflow';

const workflowOf = async (api: ServerConnection, robotId: string): Promise<Workflow> =>
	(await readStoredRobot(api, robotId)).recording.workflow;

export const extractRobots = (
	api: ServerConnection,
	checkMonitoring?: (api: ServerConnection) => Promise<void>,
): ServerParts['extractRobots'] => ({
	async create(name, definition, compareRuns) {
		if (compareRuns) await checkMonitoring?.(api);
		const hiding = api.with({ typedTexts: definition.steps.flatMap(({ text }) => text ?? []) });
		const created = await record(hiding, name, definition, compareRuns);
		const { id } = created.recording_meta;
		const workflow = completeWorkflow(definition, created.recording.workflow);
		const remains = `The robot '${name}' remains in Maxun and captures nothing useful`;
		return robotOf(await completeStoredRobot(hiding, id, { workflow }, remains), api.timezone);
	},
	describe: async (robotId) => describe(await workflowOf(api, robotId)),
	async readLists(robotId) {
		const workflow = await workflowOf(api, robotId);
		return { url: lastPageOf(workflow), lists: listsIn(workflow) };
	},
	async addField(robotId, capture) {
		const workflow = await workflowOf(api, robotId);
		await updateStoredRobot(api, robotId, { workflow: withField(workflow, capture) });
	},
	async changeList(robotId, before, after) {
		const workflow = await workflowOf(api, robotId);
		const isBefore = (list: ReadList) => JSON.stringify(list) === JSON.stringify(before);
		const at = listsIn(workflow).findIndex(isBefore);
		if (at < 0) throw new MaxunFault('the robot has been changed in Maxun', 'Run the robot again');
		const isIts = (action: IDataObject) => isList(action) && isBefore(readListOf(action));
		const changed = withSettings(workflow, isIts, storedSelectors(after));
		await updateStoredRobot(api, robotId, { workflow: changed });
		return listsIn(changed)[at];
	},
});

async function record(
	api: ServerConnection,
	name: string,
	definition: ExtractDefinition,
	compareRuns?: boolean,
): Promise<StoredRobot> {
	const marker = `n8n-${randomString(10)}`;
	const meta = withoutUndefined({ name, type: 'extract', compareRuns });
	const workflow = draftOf(definition, marker);
	return await recover(createStoredRobot(api, '/sdk/robots', { meta, workflow }), {
		async any(refusal) {
			const fault = explainRefusal(refusal, name, definition);
			if (!fault.mayHaveHappened) throw fault;
			const found = await findLost(api, async (reading) =>
				(await listStoredRobots(reading)).filter(
					({ recording, recording_meta }) =>
						recording_meta.name === name && JSON.stringify(recording.workflow).includes(marker),
				),
			);
			if (found?.[0]) return found[0];
			throw fault.adding(`A robot named '${name}' may exist in Maxun`).with({ isIncomplete: true });
		},
	});
}
