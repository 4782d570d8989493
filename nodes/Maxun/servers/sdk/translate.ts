import type { IDataObject } from 'n8n-workflow';
import { instant, order } from '../dates';
import { isEmpty, isObject, omitFields, pickFields } from '../../http/values';

// Translates a self-hosted server's terms into Maxun Cloud's terms, which all other code uses.

/** The server sends the creation time as epoch milliseconds, and the URL as the default of an input. */
function toRobot(robot: IDataObject): IDataObject {
	const inputs: unknown[] = Array.isArray(robot.inputParameters) ? robot.inputParameters : [];
	const origin = inputs.filter(isObject).find(({ name }) => name === 'originUrl');
	return {
		...robot,
		createdAt: instant(robot.createdAt) ?? robot.createdAt,
		...(robot.url === undefined && origin && { url: origin.defaultValue }),
	};
}

/** The API finds runs by `runId`, so it becomes the `id`. The times as sent become `startedAtLocal` and so on. */
function toRun(run: IDataObject, timezone: string | undefined): IDataObject {
	const { id, runId, screenshot, ...rest } = run;
	const duration = order(run.finishedAt) - order(run.startedAt);
	const failure = run.error ?? reasonIn(String(run.log ?? ''));
	return {
		...rest,
		id: runId ?? id,
		...(runId !== undefined && runId !== null && { rowId: id }),
		robotName: run.robotName ?? run.name,
		source: run.source ?? sourceOf(run),
		...zoned('startedAt', run.startedAt, timezone),
		...zoned('finishedAt', run.finishedAt, timezone),
		...(run.finishedAt && duration >= 0 && { durationMs: duration }),
		...(run.status === 'failed' && failure && { error: failure }),
		...('data' in run && { data: dataOf(run.data) }),
		screenshots: run.screenshots ?? (screenshot ? [screenshot] : []),
	};
}

export const reasonIn = (log: string): string | undefined =>
	log
		.split('\n')
		.map((line) => line.replace(/^\[[^\]]*\]\s*/, '').trim())
		.filter((line) => line !== '' && !/^at .*:\d+:\d+\)?$/.test(line))
		.at(-1);

function zoned(name: string, sent: IDataObject[string], timezone: string | undefined): IDataObject {
	if (!sent) return { [name]: null };
	return { [name]: instant(sent, timezone) ?? sent, [`${name}Local`]: sent };
}

/** The first flag that is set counts, because API runs also have a user ID. */
const STARTERS = [
	['runByScheduleId', 'schedule'],
	['runBySDK', 'sdk'],
	['runByMCP', 'mcp'],
	['runByCLI', 'cli'],
	['runByAPI', 'api'],
	['runByUserId', 'dashboard'],
] as const;

const sourceOf = (run: IDataObject) => STARTERS.find(([flag]) => Boolean(run[flag]))?.[1];

/** These parts group values by the names that the user gave in the recorder. */
export const NAMED_PARTS = ['textData', 'listData', 'crawlData', 'searchData'];

function dataOf(data: unknown): IDataObject[string] {
	if (Array.isArray(data)) return { listData: data };
	if (!isObject(data)) return {};
	const parts = Object.entries(data).map(([kind, part]) => [
		kind,
		NAMED_PARTS.includes(kind) ? unnamed(kind, part) : part,
	]);
	return Object.fromEntries(parts);
}

function unnamed(kind: string, part: unknown): unknown {
	if (!isObject(part)) return part;
	const groups = Object.values(part);
	if (groups.length === 0 && kind !== 'textData') return [];
	const [only] = groups;
	if (kind === 'searchData' && groups.length === 1 && isObject(only)) return only;
	if (groups.length !== 1 || !Array.isArray(only)) return part;
	const [row] = only;
	return kind === 'textData' ? (only.length === 1 && isObject(row) ? row : part) : only;
}

/** The server sends the day of the month as text. */
export function toSchedule(schedule: IDataObject): IDataObject {
	const { dayOfMonth } = schedule;
	const isNumeral = typeof dayOfMonth === 'string' && /^\d+$/.test(dayOfMonth);
	return isNumeral ? { ...schedule, dayOfMonth: Number(dayOfMonth) } : schedule;
}

type Translation = (entry: IDataObject, timezone: string | undefined) => IDataObject;

const PAYLOADS: Record<string, Translation> = {
	robot: toRobot,
	robots: toRobot,
	run: toRun,
	runs: toRun,
	schedule: toSchedule,
	/** For routes under /sdk. See `storedRobot.ts`. */
	data: (entry) => entry,
};

const EXTRAS = ['existing', 'extractionSchema'];

const ENVELOPE = ['statusCode', 'messageCode', 'message', 'success'];

/** A successful response's payload in Maxun Cloud's terms: an entry, a list of entries, or null. Undefined if it has none. */
export function sdkPayloadOf(body: unknown, timezone: string | undefined): unknown {
	if (!isObject(body)) return body === '' ? undefined : body;
	const key = Object.keys(PAYLOADS).find((name) => name in body);
	if (key === undefined) {
		const fields = omitFields(body, ENVELOPE);
		return isEmpty(fields) ? undefined : fields;
	}
	const payload = body[key];
	const entries = isObject(payload) && Array.isArray(payload.items) ? payload.items : payload;
	const beside = pickFields(body, EXTRAS);
	const translated = (entry: unknown) =>
		isObject(entry) ? { ...PAYLOADS[key](entry, timezone), ...beside } : entry;
	if (Array.isArray(entries)) return entries.map(translated);
	return ['robots', 'runs'].includes(key) ? entries : translated(entries);
}
