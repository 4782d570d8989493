import type { IDataObject } from 'n8n-workflow';
import { robotOf, runOf, scheduleOf } from './entities';
import { isObject } from '../values';

type Translation = (entry: IDataObject, timezone: string | undefined) => IDataObject;

/** The keys under which an answer holds its payload, and how the entries there become the cloud's. */
const PAYLOADS: Record<string, Translation> = {
	robot: robotOf,
	robots: robotOf,
	run: runOf,
	runs: runOf,
	schedule: scheduleOf,
	/** Of the routes below `/sdk`, whose entries are the server's own rows. */
	data: (entry) => entry,
};

/**
 * The payload of a successful answer in the cloud's words: an entry, a list of entries, or null where there is none.
 *
 * @param timezone the server's, for its points in time
 */
export function payloadOf(body: unknown, timezone: string | undefined): unknown {
	if (!isObject(body)) return body === '' || body === undefined ? null : body;
	const key = Object.keys(PAYLOADS).find((name) => name in body);
	if (key === undefined) return null;
	const payload = body[key];
	const entries = isObject(payload) && Array.isArray(payload.items) ? payload.items : payload;
	const translated = (entry: unknown) => (isObject(entry) ? PAYLOADS[key](entry, timezone) : entry);
	return Array.isArray(entries) ? entries.map(translated) : translated(entries);
}

/** Whether the body says that the request did not succeed, whatever the status. */
export const saysFailure = (body: unknown) =>
	isObject(body) &&
	(body.ok === false || (typeof body.messageCode === 'string' && body.messageCode !== 'success'));
