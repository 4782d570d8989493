import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { z } from 'zod';
import { CONCURRENCY, mapConcurrently } from '../http/concurrency';
import { capturedOf, type Captured } from '../results/captured';
import { lastGoodRun } from '../results/lastRun';
import { idOfNamed, nameInLocator, NAMED_LOCATORS } from '../servers/named';
import type { MaxunServer } from '../servers/types';
import { selected } from './context';

/** The selected run, or each robot's last completed run with data. */
export async function exampleRuns(
	context: ILoadOptionsFunctions,
	maxun: MaxunServer,
): Promise<Captured[]> {
	const robotId = await robotIn(context, maxun);
	const runId = selected(context, 'runId');
	if (runId) return [capturedOf(await maxun.runs.get(runId, robotId ? [robotId] : []))];
	const robotIds = robotId ? [robotId] : robotsOfTrigger(context).slice(0, MOST_EXAMPLES);
	const runs = await mapConcurrently(robotIds, CONCURRENCY, async (id) => {
		return await lastGoodRun(maxun, id);
	});
	return runs.filter((run) => run !== undefined);
}

const MOST_EXAMPLES = 10;

function robotsOfTrigger(context: ILoadOptionsFunctions): string[] {
	const robotIds: unknown = context.getCurrentNodeParameter('robotIds');
	return Array.isArray(robotIds) ? robotIds.map(String) : [];
}

const Named = z.object({ name: z.string() });
const Entries = z.object({ values: z.array(z.unknown()) }).transform(({ values }) => values);
const List = z.object({ columns: Entries.catch([]) });

/** A watched page's robot may not exist yet. */
export function columnsInForm(context: ILoadOptionsFunctions): string[] {
	const entriesOf = (name: string) =>
		Entries.catch([]).parse(context.getCurrentNodeParameter(name));
	const columns = entriesOf('lists').flatMap((list) => List.safeParse(list).data?.columns ?? []);
	const names = [...columns, ...entriesOf('fields'), ...entriesOf('examples')].flatMap(
		(entry) => Named.safeParse(entry).data?.name ?? [],
	);
	return [...new Set(names)].filter(Boolean);
}

export async function robotIn(context: ILoadOptionsFunctions, maxun: MaxunServer): Promise<string> {
	const selection = NAMED_LOCATORS.find(([field]) => selected(context, field));
	if (!selection) return '';
	const [field, type] = selection;
	const name = nameInLocator(context.getCurrentNodeParameter(field));
	return name === undefined ? selected(context, field) : await idOfNamed(maxun, name, type);
}

export const isRobotSelected = (context: ILoadOptionsFunctions): boolean =>
	NAMED_LOCATORS.some(([field]) => selected(context, field));
