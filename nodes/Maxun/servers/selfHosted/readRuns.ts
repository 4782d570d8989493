import { z } from 'zod';
import { recover } from '../../http/fault';
import { path, withoutUndefined } from '../../http/request';
import { readEachRobot, type ReadOfRobots } from '../eachRobot';
import { about, AnyObject, hasEnded, listOf, Robot, Run } from '../entities';
import type { ServerConnection } from '../types';
import { isEmpty, isObject } from '../../http/values';
import { NAMED_PARTS, reasonIn } from '../sdk/translate';

/** A robot's runs with their data, in no particular order. */
export const readRuns = async (api: ServerConnection, robotId: string): Promise<Run[]> =>
	await api.get(path`/robots/${robotId}/runs`, listOf(about(Run, { robotId })));

/** Runs of all robots if there are no IDs. */
export async function readRunsOf(
	api: ServerConnection,
	robotIds: string[] = [],
): Promise<ReadOfRobots<Run>> {
	const ids = robotIds.length > 0 ? robotIds : await robotIdsOn(api);
	return await readEachRobot(ids, async (robotId) => await readRuns(api, robotId));
}

export const listRobots = async (api: ServerConnection): Promise<Robot[]> =>
	await api.get('/robots', listOf(Robot));

const robotIdsOn = async (api: ServerConnection) => (await listRobots(api)).map(({ id }) => id);

/** The robot that was last busy, by server. Without it, each start on a busy server would read all runs. */
const lastBusy = new Map<string, string>();

/** Each list contains all of a robot's runs with their data, so this begins with robots that are probably busy. */
export async function isAnyActive(api: ServerConnection): Promise<boolean> {
	let found: string | undefined;
	const look = async (robotId: string) => {
		if (!found && !(await readRuns(api, robotId)).every(hasEnded)) found = robotId;
		return [];
	};
	const last = lastBusy.get(api.baseUrl);
	if (last !== undefined) await recover(look(last), { any: () => undefined });
	if (found) return true;
	await readEachRobot((await robotIdsOn(api)).reverse(), look);
	if (found) lastBusy.set(api.baseUrl, found);
	return found !== undefined;
}

const ListOf = <T>(entry: z.ZodType<T, z.ZodTypeDef, unknown>) => z.array(entry).catch([]);

export const RunRecord = z.object({
	/** When its browser has started, a scrape robot writes the first line. The last line is the reason for a failure. */
	log: z.string().catch(''),
	status: z.string(),
	interpreterSettings: AnyObject.catch({}),
	serializableOutput: AnyObject.extend({
		text: ListOf(z.object({ content: z.string() })),
		links: ListOf(z.object({ url: z.string() })),
	}).catch({ text: [], links: [] }),
});

export type RunRecord = z.output<typeof RunRecord>;

export const recordPath = (robotId: string, runId: string) =>
	path`/sdk/robots/${robotId}/runs/${runId}`;

export const readRunRecord = async (api: ServerConnection, robotId: string, runId: string) =>
	await api.get(recordPath(robotId, runId), RunRecord);

/** Undefined if the run was deleted, or if an earlier server has no records. */
export const findRecord = async (api: ServerConnection, robotId: string, runId: string) =>
	await recover(readRunRecord(api, robotId, runId), {
		notFound: () => undefined,
		missingRoute: () => undefined,
	});

export async function withRawParts(api: ServerConnection, robotId: string, run: Run): Promise<Run> {
	if (!needsRawParts(run)) return run;
	const record = await findRecord(api, robotId, run.id);
	if (!record) return run;
	const { text, links } = record.serializableOutput;
	const reason = run.status === 'failed' ? reasonIn(record.log) : undefined;
	return {
		...run,
		...withoutUndefined({ error: run.error ?? reason }),
		data: {
			...(isObject(run.data) ? run.data : {}),
			...withoutUndefined({
				text: text[0]?.content,
				links: links.length > 0 ? links.map(({ url }) => url) : undefined,
			}),
		},
	};
}

/** Only later servers send an empty list of links. */
function needsRawParts({ status, data, error }: Run): boolean {
	if (status === 'failed') return !error;
	if (status !== 'success' || !isObject(data) || !('links' in data) || 'text' in data) return false;
	return NAMED_PARTS.every((name) => isEmpty(data[name]));
}
