import type { INodeExecutionData } from 'n8n-workflow';
import { hasEnded } from '../maxun/service.mts';
import { keyOf, type Played, type PlayedExecution } from './play.mts';

/** Checks a played history. The function's name says what must hold. @returns a sentence for each violation */
type Invariant = (played: Played) => string[];

/** The output of the Maxun node's only log entry. */
const outputOf = ({ data }: PlayedExecution): INodeExecutionData[] =>
	data?.resultData.runData.Maxun?.at(-1)?.data?.main[0] ?? [];

const pairedWith = ({ pairedItem }: INodeExecutionData) =>
	typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : pairedItem;

const everyExecutionEnds: Invariant = ({ executions }) =>
	executions.flatMap(({ stored }, index) =>
		stored?.status === 'success' ? [] : [`execution ${index} is ${stored?.status ?? 'missing'}`],
	);

const everyItemHasOneResultInOrder: Invariant = ({ executions }) =>
	executions.flatMap((execution, index) => {
		const pairs = outputOf(execution).map(pairedWith);
		const expected = execution.plan.items.map((_, item) => item);
		return pairs.join() === expected.join()
			? []
			: [`execution ${index} has results for the items ${pairs.join()}`];
	});

const noRunStartsTwice: Invariant = ({ executions, world: { maxun } }) =>
	executions.flatMap(({ plan }, index) =>
		plan.items.flatMap((_, item) => {
			const key = keyOf(index, item);
			const runs = [...maxun.runs.values()].filter((run) => run.key === key);
			return runs.length === 1 ? [] : [`${key} has ${runs.length} runs`];
		}),
	);

const nothingStaysBehind: Invariant = ({ world: { maxun } }) => [
	...[...maxun.robots.values()]
		.filter(({ webhooks }) => webhooks.length > 0)
		.map(({ name, webhooks }) => `the robot of ${name} has ${webhooks.length} webhooks`),
	...[...maxun.runs.values()]
		.filter((run) => !hasEnded(run))
		.map(({ key }) => `the run of ${key} continues`),
];

const theEventLoopYields: Invariant = ({ world: { clock } }) =>
	clock.wasBlocked ? ['a turn did not end'] : [];

export const INVARIANTS: Invariant[] = [
	everyExecutionEnds,
	everyItemHasOneResultInOrder,
	noRunStartsTwice,
	nothingStaysBehind,
	theEventLoopYields,
];
