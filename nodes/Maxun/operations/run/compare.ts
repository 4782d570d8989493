import type { INodeProperties } from 'n8n-workflow';
import { operation } from '../operation';
import { optionsOf } from '../../fields/collections';
import { robotField, runField } from '../../fields/locators';
import { inTurn, restRegularly } from '../../http/concurrency';
import { MaxunFault } from '../../http/fault';
import { compareRuns, idBefore } from '../../results/compareRuns';
import type { Run } from '../../servers/entities';
import { startOf } from '../../servers/runEnd';
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
	description:
		'The earlier of the two runs. Leave empty to use the last successful run before the later one.',
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

type Runs = ServerParts['runs'];

/** The two runs, the earlier one first. */
async function readRuns(
	runs: Runs,
	robotId: string,
	laterId: string | undefined,
	earlierId: string | undefined,
): Promise<[Run, Run]> {
	const read = async (id: string) => successful(await runs.get(id, [robotId]));
	if (laterId && laterId === earlierId) throw onlyOneRun(laterId);
	const later = laterId ? await read(laterId) : undefined;
	const newest = later ? [later] : await runs.list(robotId, { status: ['success'] }, 2);
	if (newest.length === 0) throw noTwoRuns();
	if (newest[0].id === earlierId) throw onlyOneRun(earlierId);
	const before = earlierId ?? (later ? await idBefore(runs, robotId, later) : newest[1]?.id);
	if (!before) throw later ? noRunBefore(later) : noTwoRuns();
	const earlier = await read(before);
	const other = later ?? (await read(newest[0].id));
	const isSwapped = (startOf(other) ?? Infinity) < (startOf(earlier) ?? 0);
	return isSwapped ? [other, earlier] : [earlier, other];
}

function successful(run: Run): Run {
	if (run.status === 'success') return run;
	throw new MaxunFault(
		`Run ${run.id} has the status ${run.status}`,
		"Only successful runs can be compared. Select another run, or clear the field to use the robot's last successful runs",
		{ forModel: 'Call the tool again with successful runs, or without runs' },
	);
}

const noTwoRuns = () =>
	new MaxunFault(
		'This robot does not have two successful runs to compare',
		'Run the robot again, or select both runs',
		{ forModel: 'Run the robot first, then call the tool again' },
	);

const noRunBefore = ({ id }: Run) =>
	new MaxunFault(
		`The robot has no successful run before run ${id}`,
		"Select a run in 'Compare With', or a later one in 'Run'",
		{ forModel: 'Call the tool again with a later run, or with both runs' },
	);

const onlyOneRun = (id: string) =>
	new MaxunFault(
		`There is no later run to compare run ${id} with`,
		"Select an earlier run in 'Compare With', or run the robot again",
		{ forModel: 'Run the robot first, or call the tool again with an earlier run' },
	);

export const compare = operation(
	{
		resource: 'run',
		value: 'compare',
		name: 'Compare',
		action: 'Compare runs',
		description:
			'Retrieve the pages or rows that were added, removed or changed between two runs, with a text diff',
		hint: 'Use this to find out what changed on a website since the previous run.',
		properties: [robotField, laterRunField, earlierRunField, optionsOf([keyField])],
	},
	{
		parallel: true,
		needs: ({ runs }) => runs,
		run: async (runs, { robotId, runId, previousRunId, options }, { hint, maxun }) => {
			const [earlier, later] = await readRuns(runs, robotId, runId, previousRunId);
			// Comparing is work for the processor. Several comparisons at a time would only block n8n for longer.
			const changes = await inTurn(
				'compare',
				async () => await compareRuns(earlier, later, options.keyField, restRegularly(maxun.sleep)),
			);
			if (changes.length === 0) hint('There are no differences between the runs');
			return changes;
		},
	},
);
