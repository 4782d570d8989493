import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { z } from 'zod';
import { CONCURRENCY, mapConcurrently } from '../http/concurrency';
import { toNodeError } from '../http/nodeError';
import { type Captured, capturedInTurns } from '../results/captured';
import { lastGoodRun } from '../results/goodRun';
import { isTemporaryName } from '../runs/expiry';
import { connectServer, serverKindOf } from '../servers';
import type { Robot } from '../servers/entities';
import { idOfNamed, NAMED_LOCATORS, nameInLocator } from '../servers/named';
import type { MaxunServer } from '../servers/types';

function selected(context: ILoadOptionsFunctions, name: string): string {
	// n8n can't extract the value of a hidden field.
	if (context.getCurrentNodeParameter(name) === undefined) return '';
	const value = context.getCurrentNodeParameter(name, { extractValue: true });
	return typeof value === 'string' ? value : '';
}

/** A fault appears in the editor instead of an empty list. */
export async function lookUp<T>(
	context: ILoadOptionsFunctions,
	read: (maxun: MaxunServer) => Promise<T>,
): Promise<T> {
	const kind = serverKindOf(context.getCurrentNodeParameter('server'));
	const teamId = selected(context, 'generalOptions.teamId') || selected(context, 'options.teamId');
	return await connectServer(context, kind, { teamId: teamId || undefined })
		.then(read)
		.catch((error: unknown) => {
			throw toNodeError(context.getNode(), error);
		});
}

/** Not created by the nodes for a single execution or a watched page. */
export const isOfUser = ({ name }: Robot): boolean => !isTemporaryName(name);

/** For example, `Prices (scrape, ready)`. */
export function robotItem({ id, name, type, status }: Robot) {
	const details = [type, status].filter(Boolean).join(', ');
	return { name: details ? `${name} (${details})` : name, value: id };
}

/** The selected run, or each robot's last completed run with data. */
export async function exampleRuns(
	context: ILoadOptionsFunctions,
	maxun: MaxunServer,
): Promise<Captured[]> {
	const robotId = await robotIn(context, maxun);
	const runId = selected(context, 'runId');
	if (runId) return [await capturedInTurns(await maxun.runs.get(runId, robotId ? [robotId] : []))];
	const ofTrigger = IdList.parse(context.getCurrentNodeParameter('robotIds'));
	const robotIds = robotId ? [robotId] : ofTrigger.slice(0, MOST_EXAMPLES);
	const read = async (id: string) => await lastGoodRun(maxun, id);
	const runs = await mapConcurrently(robotIds, CONCURRENCY, read);
	return runs.filter((run) => run !== undefined);
}

const MOST_EXAMPLES = 10;

const IdList = z.array(z.coerce.string()).catch([]);

const Named = z.object({ name: z.string() });
const Entries = z.object({ values: z.array(z.unknown()) }).transform(({ values }) => values);
const Table = z.object({ columns: Entries.catch([]) });

/** The robot that reads these columns may not exist yet. */
export function columnsInForm(context: ILoadOptionsFunctions): string[] {
	const entriesOf = (name: string) =>
		Entries.catch([]).parse(context.getCurrentNodeParameter(name));
	const columns = entriesOf('lists').flatMap((list) => Table.safeParse(list).data?.columns ?? []);
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
