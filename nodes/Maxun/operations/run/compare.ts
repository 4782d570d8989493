import { called, reading } from '../operation';
import { changeFields, changeSettings, comparisonOf } from '../../fields/changes';
import { tableFields } from '../../fields/columns';
import { optionsOf } from '../../fields/collections';
import { choice, choiceField } from '../../fields/field';
import { robotField, runField } from '../../fields/locators';
import { ifNoDataField } from '../../fields/waiting';
import { inTurn, restRegularly } from '../../http/concurrency';
import { MaxunFault } from '../../http/fault';
import { capturedInTurns, type Captured } from '../../results/captured';
import type { ChangeSettings } from '../../results/changes';
import { changedRows, summaryOf, textDiffs } from '../../results/changeOutput';
import { lastRuns, runBefore } from '../../results/baseline';
import { changesBetween, withRunsBefore } from '../../results/comparison';
import { noData, pageOfLinks } from '../../results/outcome';
import { isUsable, verdictOf } from '../../results/verdict';
import type { Run } from '../../servers/entities';
import { startOf } from '../../servers/dates';
import type { ServerParts } from '../../servers/types';

async function readBoth(
	runs: ServerParts['runs'],
	robotId: string,
	[laterId, earlierId]: Array<string | undefined>,
	settings: ChangeSettings,
): Promise<[Captured, Captured]> {
	const read = async (id: string) =>
		await capturedInTurns(successful(await runs.get(id, [robotId]), robotId));
	if (laterId && laterId === earlierId) throw onlyOneRun(laterId);
	const listed = laterId ? undefined : await lastRuns(runs, robotId);
	const newestId = laterId ?? listed?.[0]?.id;
	if (newestId === undefined) throw noTwoRuns();
	if (newestId === earlierId) throw onlyOneRun(earlierId);
	const later = await read(newestId);
	const earlier = earlierId
		? await read(earlierId)
		: await runBefore(runs, robotId, later, settings, { listed });
	if (!earlier) throw laterId ? noRunBefore(later.run) : noTwoRuns();
	const isSwapped = (startOf(later.run) ?? Infinity) < (startOf(earlier.run) ?? 0);
	return isSwapped ? [later, earlier] : [earlier, later];
}

function successful(run: Run, robotId: string): Run {
	if (run.robotId && run.robotId !== robotId) {
		throw new MaxunFault(
			`Run ${run.id} belongs to another robot, '${run.robotName ?? run.robotId}'`,
			"Select a run of the robot in 'Robot', or change the robot",
		);
	}
	if (run.status === 'success') return run;
	throw new MaxunFault(
		`Run ${run.id} has the status ${run.status}`,
		"Only completed runs can be compared. Select another run, or clear the field to use the robot's last completed runs",
		{ forModel: 'Call the tool again with completed runs, or without runs' },
	);
}

const noTwoRuns = () =>
	new MaxunFault(
		'This robot does not have two completed runs with data to compare',
		'Run the robot again, or select both runs',
		{ forModel: 'Run the robot first, then call the tool again' },
	);

const noRunBefore = ({ id }: Run) =>
	new MaxunFault(
		`The robot has no completed run with data before run ${id}`,
		"Select a run in 'Earlier Run', or a later run in 'Later Run'",
		{ forModel: 'Call the tool again with a later run, or with both runs' },
	);

const onlyOneRun = (id: string) =>
	new MaxunFault(
		`There is no later run to compare run ${id} with`,
		"Select an earlier run in 'Earlier Run', or run the robot again",
		{ forModel: 'Run the robot first, or call the tool again with an earlier run' },
	);

const emptyRun = (captured: Captured) =>
	noData(captured, { advice: "To continue without data, add 'If No Data'" });

const ifUnchangedField = {
	...ifNoDataField,
	description:
		'What to do if there are no changes or data. By default, the node returns nothing, but fails if the later run has no data.',
};

export const compare = reading({
	...called('compare', 'Compare', 'runs'),
	description: 'Retrieve the rows or pages that were added, changed or removed between two runs',
	builderHint: 'Use this to find out what changed on a website since the previous run.',
	properties: [
		robotField,
		{
			...runField,
			displayName: 'Earlier Run',
			name: 'previousRunId',
			required: false,
			description: 'Leave empty to use the last completed run with data before the later run',
		},
		{
			...runField,
			displayName: 'Later Run',
			required: false,
			description: 'Leave empty to use the last completed run',
		},
		choiceField('Output', 'output', 'How to return the changes', {
			options: [
				choice(
					'Changes',
					'changes',
					'One item per row or page that was added, changed or removed, with its columns',
				),
				choice(
					'Summary',
					'summary',
					'One item with the number of changes and the first 100 of them',
				),
				choice('Text Diff', 'textDiff', 'One item per row or page, with the changed lines as text'),
			],
			default: 'changes',
			ifAbsent: 'changes',
		}),
		comparisonOf(changeFields),
		optionsOf([ifUnchangedField, ...tableFields('getRunFields', ['changes'])]),
	],
	needs: ({ runs }) => runs,
	run: async (runs, { robotId, runId, previousRunId, output, ...form }, context) => {
		const { hint, maxun, isTool } = context;
		const settings = { ...form.options, ...changeSettings(form.comparison) };
		const { key, ifNoData, onlyIf } = settings;
		const both = await readBoth(runs, robotId, [runId, previousRunId], settings);
		const [earlier, later] = await withRunsBefore(runs, robotId, both, settings);
		if (!isUsable(verdictOf(earlier))) throw emptyRun(earlier);
		const verdict = verdictOf(later);
		const isEmpty = verdict === 'empty' && ifNoData !== undefined && ifNoData !== 'error';
		if (!isUsable(verdict) && !isEmpty) throw emptyRun(later);
		const ids = { runId: later.run.id, previousRunId: earlier.run.id };
		const table = { ...settings, base: await pageOfLinks(maxun, later, settings) };
		const rest = restRegularly(maxun.sleep);
		// Simultaneous comparisons would only block n8n longer.
		return await inTurn('compare', async () => {
			const changes = isEmpty ? [] : await changesBetween(earlier, later, table, rest, hint);
			if (changes.length === 0) {
				if (ifNoData === 'error') throw unchanged(ids);
				const meeting = onlyIf.length > 0 ? " that meet 'Only If'" : '';
				hint(
					isEmpty
						? `Run ${ids.runId} captured no data`
						: `There are no differences between the runs${meeting}`,
				);
				const isShown = ifNoData === 'item' || (output === 'summary' && ifNoData !== 'nothing');
				return isShown ? [{ ...summaryOf([], key), ...ids }] : [];
			}
			// A language model can't read thousands of rows.
			const isLong = isTool && changes.length > 100;
			if (output === 'summary' || isLong) return [{ ...summaryOf(changes, key), ...ids }];
			if (output === 'changes') return await changedRows(changes, table, rest, hint);
			return (await textDiffs(changes, key, rest)).map((diff) => ({ ...diff, ...ids }));
		});
	},
});

const unchanged = ({ runId, previousRunId }: { runId: string; previousRunId: string }) =>
	new MaxunFault(
		`Runs ${previousRunId} and ${runId} do not differ`,
		"To continue without changes, change 'If No Data'",
	);
