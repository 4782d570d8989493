import { fileOperation } from '../operation';
import { dataChecksField } from '../../fields/dataChecks';
import { optionsOf } from '../../fields/collections';
import { tableFields } from '../../fields/columns';
import { robotField, runField } from '../../fields/locators';
import { checkSelectedFields, downloadScreenshotsField, outputFields } from '../../fields/output';
import { onlyWith } from '../../fields/server';
import { runContinues } from '../../runs/early';
import { capturedNothing } from '../../results/noData';
import { itemsOf } from '../../results/output';
import { deleteReadRobot, isLeftByTool } from '../../runs/temporary';
import { hasEnded } from '../../servers/entities';

export const get = fileOperation(
	{
		value: 'get',
		name: 'Get',
		action: 'Get run',
		description: 'Retrieve a run with its data',
		properties: [
			onlyWith('runsByRobot', robotField),
			runField,
			...outputFields,
			optionsOf([dataChecksField, downloadScreenshotsField, ...tableFields('getRunFields')]),
		],
		rule: checkSelectedFields,
	},
	{
		parallel: true,
		needs: ({ runs }) => runs.get,
		runItems: async (getRun, { robotId, runId, output, fields, options }, context) => {
			const run = await getRun(runId, robotId === undefined ? [] : [robotId]);
			if (context.isTool && !hasEnded(run)) {
				const { status } = run;
				return runContinues(context.maxun, { status, runId, robotId: run.robotId ?? robotId });
			}
			// Without rows, the item is the run.
			const isEmpty = output === 'rows' && capturedNothing(run);
			const form = isEmpty ? 'simplified' : output;
			// Screenshots are deleted with a robot that a tool has left.
			const downloadScreenshots = options.downloadScreenshots || isLeftByTool(run);
			const settings = { ...options, downloadScreenshots, output: form, fields };
			const items = await itemsOf(context, run, settings);
			await deleteReadRobot(context, run);
			return items;
		},
	},
);
