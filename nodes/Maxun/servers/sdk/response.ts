import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../http/values';
import { toRobot, toRun, toSchedule } from './translate';

type Translation = (entry: IDataObject, timezone: string | undefined) => IDataObject;

/** The keys that contain a response's payload, and how to translate its entries. */
const PAYLOADS: Record<string, Translation> = {
	robot: toRobot,
	robots: toRobot,
	run: toRun,
	runs: toRun,
	schedule: toSchedule,
	/** In responses from routes under /sdk, with the server's own records. See `storedRobot.ts`. */
	data: (entry) => entry,
};

/** Fields next to the payload that belong to it, as in the response to a creation. */
const BESIDE = ['existing', 'extractionSchema'];

const ENVELOPE = ['statusCode', 'messageCode', 'message', 'success'];

/**
 * A successful response's payload in Maxun Cloud's terms: an entry, a list of entries, or null.
 *
 * @param timezone the server's time zone, to read its dates
 */
export function payloadOf(body: unknown, timezone: string | undefined): unknown {
	if (!isObject(body)) return body === '' || body === undefined ? null : body;
	const key = Object.keys(PAYLOADS).find((name) => name in body);
	if (key === undefined) return flatPayloadOf(body);
	const payload = body[key];
	const entries = isObject(payload) && Array.isArray(payload.items) ? payload.items : payload;
	const beside = Object.fromEntries(
		BESIDE.filter((name) => name in body).map((name) => [name, body[name]]),
	);
	const translated = (entry: unknown) =>
		isObject(entry) ? { ...PAYLOADS[key](entry, timezone), ...beside } : entry;
	return Array.isArray(entries) ? entries.map(translated) : translated(entries);
}

/** The fields of a response without a payload key; null if the response contains only a message. */
function flatPayloadOf(body: IDataObject): IDataObject | null {
	const fields = Object.entries(body).filter(([name]) => !ENVELOPE.includes(name));
	return fields.length > 0 ? Object.fromEntries(fields) : null;
}
