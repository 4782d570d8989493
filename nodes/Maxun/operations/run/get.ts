import { fileOperation } from '../operation';
import { dataChecksField } from '../../fields/dataChecks';
import { optionsOf } from '../../fields/collections';
import { tableFields } from '../../fields/columns';
import { robotField, runField } from '../../fields/locators';
import { checkSelectedFields, downloadScreenshotsField, outputFields } from '../../fields/output';
import { onlyWith } from '../../fields/server';
import { runContinues } from '../../runs/early';
import { capturedOf } from '../../results/captured';
import { itemsOf } from '../../results/outcome';
import { simplified } from '../../results/rows';
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
			const captured = capturedOf(run);
			const items = await itemsOf(context, captured, {
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
	},
);
