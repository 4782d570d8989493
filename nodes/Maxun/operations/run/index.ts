import { optionsOf } from '../../fields/collections';
import { tableFields } from '../../fields/columns';
import { dataChecksField } from '../../fields/dataChecks';
import { robotField, runField } from '../../fields/locators';
import {
	checkSelectedFields,
	downloadScreenshotsField,
	listedOutputField,
	listedFields,
	outputFields,
	wanted,
} from '../../fields/output';
import { runFilter, runFiltersField } from '../../fields/runFilters';
import { onlyWith } from '../../fields/server';
import { capturedInTurns } from '../../results/captured';
import { resultItems } from '../../results/outcome';
import { entryOutput } from '../../results/robotOutput';
import { LISTED_RUN_FIELDS, simplified } from '../../results/rows';
import { runContinues } from '../../runs/early';
import { startRun } from '../../runs/start';
import { deleteReadRobot, isLeftByTool } from '../../runs/temporary';
import { ACTIVE, hasEnded } from '../../servers/entities';
import { called, deletion, fileOperation, operation, reading, type Resource } from '../operation';
import { startingOperations } from '../starting';
import { compare } from './compare';
import { runOnUrls } from './runOnUrls';

const { runAndWait, start } = startingOperations({
	locator: robotField,
	noun: 'a robot',
	needs: ({ runs }) => runs.start,
	startRun: async (maxun, id, options) => await startRun(maxun, 'robot', id, options),
});

const get = fileOperation({
	...called('get', 'Get', 'run'),
	description: 'Retrieve a run with its data',
	properties: [
		onlyWith('runsByRobot', robotField),
		runField,
		...outputFields,
		optionsOf([dataChecksField, downloadScreenshotsField, ...tableFields('getRunFields')]),
	],
	rule: checkSelectedFields,
	parallel: true,
	needs: ({ runs }) => runs.get,
	runItems: async (getRun, { robotId, runId, output, fields, options }, context) => {
		const run = await getRun(runId, robotId === undefined ? [] : [robotId]);
		if (context.isTool && !hasEnded(run)) {
			const { status } = run;
			return runContinues(context.maxun, { status, runId, robotId: run.robotId ?? robotId });
		}
		const captured = await capturedInTurns(run);
		const { items } = await resultItems(context, captured, {
			...options,
			// Screenshots are deleted with a robot that a tool has left.
			downloadScreenshots: options.downloadScreenshots || isLeftByTool(run),
			output,
			fields,
			itemOfEmpty: output === 'rows' ? simplified(captured) : undefined,
		});
		await deleteReadRobot(context, run);
		return items;
	},
});

const cancel = operation({
	...called('cancel', 'Cancel', 'run'),
	description: 'Stop a queued or running run',
	properties: [onlyWith('runsByRobot', robotField), runField],
	needs: ({ runs }) => runs.cancel,
	// The response isn't documented, so always include the ID.
	run: async (cancelRun, { robotId, runId }) => ({
		id: runId,
		...(await cancelRun(runId, robotId)),
		canceled: true,
	}),
});

const remove = deletion(
	'run',
	'Delete a run and its data permanently. The run must have ended.',
	[runField],
	({ runs }) => runs.delete,
);

const getActive = reading({
	...called('getActive', 'Get Active', 'runs'),
	description: 'Retrieve all runs that are queued or running. Use Get Many to filter them.',
	properties: [listedOutputField],
	needs: ({ runs }) =>
		runs.listActive ?? (async () => await runs.list(undefined, { status: ACTIVE }, Infinity)),
	run: async (list, form) => (await list()).map(entryOutput(form, LISTED_RUN_FIELDS)),
});

const getAll = reading({
	...called('getAll', 'Get Many', 'runs'),
	description: 'Retrieve a list of runs without their data, newest first',
	properties: [
		{
			...robotField,
			required: false,
			description: "Only return this robot's runs. Leave empty to return the runs of all robots.",
		},
		...listedFields,
		runFiltersField,
	],
	needs: ({ runs }) => runs.list,
	run: async (list, { robotId, filters, ...form }, { timezone }) => {
		const runs = await list(robotId, runFilter(filters, timezone), wanted(form));
		return runs.map(entryOutput(form, LISTED_RUN_FIELDS));
	},
});

export const run: Resource = {
	name: 'Run',
	value: 'run',
	description: 'Run your robots and read their data',
	operations: [runAndWait, runOnUrls, start, compare, get, getAll, getActive, cancel, remove],
};
