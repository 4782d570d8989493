import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { cut } from '../http/text';
import { isEmpty } from '../http/values';

const CUT_OFF = 'cut';

const MAX_ENTRIES = 50;

const BOOKKEEPING =
	'durationMs finishedAtLocal hasData rowId scrapedAt source sourceURL startedAt startedAtLocal statusCode wordCount'.split(
		' ',
	);

const PAGE_FORMS = ['markdown', 'text', 'html'];

interface ModelLimits {
	maxText: number;
	allFields: boolean;
}

const NOTE = 40;

type Value = IDataObject[string];

/** Omits files, and cuts long texts and lists, because every token costs. As JSON, at most five times `maxText` characters. */
export function forModel(items: INodeExecutionData[], limits: ModelLimits): INodeExecutionData[] {
	const room = 5 * limits.maxText;
	const [{ pairedItem } = {}] = items;
	const { kept, rest } = take(items, MAX_ENTRIES, room, ({ json }, left) =>
		fitFields(json, left, limits),
	);
	const fitted = kept.map((json, index) => ({ json, pairedItem: items[index].pairedItem }));
	return rest > 0 ? [...fitted, { json: { [CUT_OFF]: leftOut(rest) }, pairedItem }] : fitted;
}

function take<T, R>(
	entries: T[],
	most: number,
	room: number,
	fit: (entry: T, room: number) => R | undefined,
): { kept: R[]; rest: number } {
	const kept: R[] = [];
	let left = room - NOTE;
	for (const entry of entries.slice(0, most)) {
		const part = fit(entry, left - 1);
		if (part === undefined) break;
		left -= JSON.stringify(part).length + 1;
		kept.push(part);
	}
	return { kept, rest: entries.length - kept.length };
}

/** Undefined if nothing fits into `room` characters. */
function fitValue(value: unknown, room: number, limits: ModelLimits): Value | undefined {
	if (typeof value === 'string') return fitText(value, room, limits.maxText);
	if (Array.isArray(value)) return fitList(value, room, limits);
	if (typeof value === 'object' && value !== null) return fitFields(value, room, limits);
	const simple = typeof value === 'number' || typeof value === 'boolean' ? value : null;
	return String(simple).length <= room ? simple : undefined;
}

function fitText(value: string, room: number, maxText: number): string | undefined {
	const most = Math.min(maxText, room - 2);
	if (value.length <= most) return value;
	const noteOn = (length: number) => `… [truncated: ${length} of ${value.length} characters]`;
	const text = cut(value, Math.min(maxText, room - 2 - noteOn(maxText).length));
	return text === '' ? undefined : text + noteOn(text.length);
}

function fitList(values: unknown[], room: number, limits: ModelLimits): Value[] | undefined {
	if (room < NOTE) return undefined;
	const { kept, rest } = take(values, MAX_ENTRIES, room, (value, left) =>
		fitValue(value, left, limits),
	);
	return rest > 0 ? [...kept, leftOut(rest)] : kept;
}

function fitFields(fields: object, room: number, limits: ModelLimits): IDataObject | undefined {
	if (room < NOTE) return undefined;
	const given = Object.entries(limits.allFields ? fields : usefulFields(fields));
	const entries = given.filter(([, value]) => value !== undefined);
	const { kept, rest } = take(entries, Infinity, room, ([name, value], left) => {
		const part = fitValue(value, left - name.length - 4, limits);
		return part === undefined ? undefined : ([name, part] as const);
	});
	return Object.fromEntries(rest > 0 ? [...kept, [CUT_OFF, leftOut(rest)]] : kept);
}

function usefulFields(fields: object): IDataObject {
	const values = Object.entries(fields).filter(
		([name, value]) => !isEmpty(value) && !BOOKKEEPING.includes(name),
	);
	const names = values.map(([name]) => name);
	const [, ...others] = PAGE_FORMS.filter((form) => names.includes(form));
	return Object.fromEntries(values.filter(([name]) => !others.includes(name)));
}

const leftOut = (count: number) => `[${count} more omitted]`;
