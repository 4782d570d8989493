import { z } from 'zod';
import { fileOperation } from '../operation';
import { tableFields, tableParameters } from '../../fields/columns';
import { RUN_URL, robotField, runField } from '../../fields/locators';
import {
	checkSelectedFields,
	downloadScreenshotsField,
	outputFields,
	outputParameters,
} from '../../fields/output';
import { collection, flag, locator, optionalLocator } from '../../fields/parameters';
import { optionsOf } from '../../fields/runOptions';
import { onlyWith } from '../../fields/server';
import { runContinues } from '../../runs/early';
import { itemsOf } from '../../results/output';
import { hasEnded } from '../../servers/entities';

export const get = fileOperation(
	{
		resource: 'run',
		value: 'get',
		name: 'Get',
		action: 'Get run',
		description: 'Retrieve a run with its data',
		properties: [
			onlyWith('runsByRobot', robotField),
			runField,
			...outputFields,
			optionsOf([downloadScreenshotsField, ...tableFields('getRunFields')]),
		],
	},
	z
		.object({
			robotId: optionalLocator(),
			runId: locator(RUN_URL),
			...outputParameters,
			options: collection(
				z.object({ downloadScreenshots: flag().default(false), ...tableParameters }),
			),
		})
		.superRefine(checkSelectedFields),
	{
		parallel: true,
		needs: ({ runs }) => runs.get,
		runItems: async (getRun, { robotId, runId, output, fields, options }, context) => {
			const run = await getRun(runId, robotId === undefined ? [] : [robotId]);
			if (context.isTool && !hasEnded(run)) {
				const { status } = run;
				return runContinues(context.maxun, { status, runId, robotId: run.robotId ?? robotId });
			}
			return await itemsOf(context, run, { ...options, output, fields });
		},
	},
);
