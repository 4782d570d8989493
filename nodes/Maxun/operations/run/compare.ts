import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { operation } from '../../engine/operation';
import { RUN_URL, robotField, runField } from '../../fields/locators';
import { collection, locator, optionalLocator, optionalText } from '../../fields/parameters';
import { optionsOf } from '../../fields/runOptions';
import { MaxunFault } from '../../http/fault';
import { compareRuns } from '../../runs/compareRuns';
import type { Run } from '../../servers/entities';
import type { ServerParts } from '../../servers/types';

const laterRunField: INodeProperties = {
	...runField,
	required: false,
	description: 'The later of the two runs. Leave empty to use the last successful run.',
};

const earlierRunField: INodeProperties = {
	...runField,
	displayName: 'Compare With',
	name: 'previousRunId',
	required: false,
	description: 'The earlier of the two runs. Leave empty to use the successful run before it.',
};

const keyField: INodeProperties = {
	displayName: 'Key Field',
	name: 'keyField',
	type: 'string',
	placeholder: 'e.g. Product',
	default: '',
	description:
		'The field that identifies a captured row. Leave empty to compare pages by URL and rows by content.',
};

/** Number of runs to search for the earlier one. */
const MAX_RUNS = 100;

/** The IDs of the two runs, the earlier one first. */
async function runIds(
	runs: ServerParts['runs'],
	robotId: string,
	later: string | undefined,
	earlier: string | undefined,
): Promise<[string, string]> {
	if (later && earlier) return [earlier, later];
	const listed = await runs.list(robotId, { status: ['success'] }, later ? MAX_RUNS : 2);
	const found = later ?? listed.find(({ id }) => id !== earlier)?.id;
	const position = listed.findIndex(({ id }) => id === found);
	const before = earlier ?? (position < 0 ? undefined : listed[position + 1]?.id);
	if (found && before) return [before, found];
	throw new MaxunFault(
		'There are no two successful runs to compare',
		'Run the robot again, or select both runs',
		{ forModel: 'Run the robot first, then call the tool again' },
	);
}

export const compare = operation(
	{
		resource: 'run',
		value: 'compare',
		name: 'Compare',
		action: 'Compare runs',
		description:
			'Retrieve which pages or rows were added, removed or changed between two runs, with a text diff',
		properties: [robotField, laterRunField, earlierRunField, optionsOf([keyField])],
	},
	z.object({
		robotId: locator(),
		runId: optionalLocator(RUN_URL),
		previousRunId: optionalLocator(RUN_URL),
		options: collection(z.object({ keyField: optionalText() })),
	}),
	{
		parallel: true,
		needs: ({ runs }) => runs,
		run: async (runs, { robotId, runId, previousRunId, options }, { hint }) => {
			const ids = await runIds(runs, robotId, runId, previousRunId);
			const read = async (id: string): Promise<Run> => await runs.get(id, [robotId]);
			const [earlier, later] = [await read(ids[0]), await read(ids[1])];
			const changes = compareRuns(earlier, later, options.keyField);
			if (changes.length === 0) hint('The runs do not differ');
			return changes;
		},
	},
);
