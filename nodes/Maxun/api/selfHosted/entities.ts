import type { IDataObject } from 'n8n-workflow';
import { instant, order } from './dates';
import { isObject } from '../values';

// A self-hosted server describes robots, runs and schedules in other words than the cloud. They are put into the
// cloud's words here, so that nothing else has to know both; fields that the cloud does not have stay as they came.

/** A robot; the point of its creation comes as epoch milliseconds, its page as the default of an input. */
export function robotOf(robot: IDataObject): IDataObject {
	const inputs: unknown[] = Array.isArray(robot.inputParameters) ? robot.inputParameters : [];
	const origin = inputs.filter(isObject).find(({ name }) => name === 'originUrl');
	return {
		...robot,
		...(typeof robot.createdAt === 'number' && {
			createdAt: new Date(robot.createdAt).toISOString(),
		}),
		...(robot.url === undefined && origin && { url: origin.defaultValue }),
	};
}

/**
 * A run. Its `runId` is what the API asks for, so that becomes the `id`; the server's other identifier is `rowId`.
 *
 * Points in time are kept as sent in `startedAtLocal` and `finishedAtLocal`; `startedAt` and `finishedAt` are
 * ISO 8601 where the time zone of the server is known, else as sent.
 */
export function runOf(run: IDataObject, timezone: string | undefined): IDataObject {
	const { id, runId, screenshot, ...rest } = run;
	const duration = order(run.finishedAt) - order(run.startedAt);
	const failure = run.error ?? run.errorMessage ?? run.log;
	return {
		...rest,
		id: runId ?? id,
		...(runId !== undefined && runId !== null && { rowId: id }),
		robotName: run.robotName ?? run.name,
		source: run.source ?? sourceOf(run),
		...times('startedAt', run.startedAt, timezone),
		...times('finishedAt', run.finishedAt, timezone),
		...(run.finishedAt && duration >= 0 && { durationMs: duration }),
		...(run.status === 'failed' && failure && { error: failure }),
		...('data' in run && { data: dataOf(run.data) }),
		screenshots: run.screenshots ?? (screenshot ? [screenshot] : []),
	};
}

function times(name: string, sent: IDataObject[string], timezone: string | undefined): IDataObject {
	if (!sent) return { [name]: null };
	return { [name]: instant(sent, timezone) ?? sent, [`${name}Local`]: sent };
}

/** Flags of a run and what they say of its start; a run through the API carries a user's number as well. */
const SOURCES = [
	['runByScheduleId', 'schedule'],
	['runBySDK', 'sdk'],
	['runByMCP', 'mcp'],
	['runByCLI', 'cli'],
	['runByAPI', 'api'],
	['runByUserId', 'dashboard'],
] as const;

const sourceOf = (run: IDataObject) => SOURCES.find(([flag]) => Boolean(run[flag]))?.[1];

/** Parts of a run's data in which the server files what was captured under names given in the recorder. */
const NAMED = ['textData', 'listData', 'crawlData', 'searchData'];

/** The data of a run: one object with a part for each kind, or the bare rows. */
function dataOf(data: unknown): IDataObject[string] {
	if (Array.isArray(data)) return { listData: data };
	if (!isObject(data)) return {};
	const parts = Object.entries(data).map(([kind, part]) => [
		kind,
		NAMED.includes(kind) ? unnamed(kind, part) : part,
	]);
	return Object.fromEntries(parts);
}

/** A part of the data without the name that it is filed under. Where there are several names, they are kept. */
function unnamed(kind: string, part: unknown): unknown {
	if (!isObject(part)) return part;
	const groups = Object.values(part);
	if (groups.length === 0 && kind !== 'textData') return [];
	const [only] = groups;
	if (groups.length !== 1 || !Array.isArray(only)) return part;
	const [row] = only;
	return kind === 'textData' ? (only.length === 1 && isObject(row) ? row : part) : only;
}

/** A schedule, whose day of the month comes as text. */
export function scheduleOf(schedule: IDataObject): IDataObject {
	const { dayOfMonth } = schedule;
	const isNumeral = typeof dayOfMonth === 'string' && /^\d+$/.test(dayOfMonth);
	return isNumeral ? { ...schedule, dayOfMonth: Number(dayOfMonth) } : schedule;
}
