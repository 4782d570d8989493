import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { isObject, omitFields } from '../../http/values';
import { AnyEntry, Identified } from '../entities';

/** A successful response's payload: `data`, or everything except `success`; undefined for an empty body. */
export function payloadOf(body: unknown): unknown {
	if (!isObject(body)) return body === '' ? undefined : body;
	if ('data' in body) return body.data;
	return omitFields(body, ['success']);
}

const WRAPPERS = ['robot', 'agent', 'run', 'schedule', 'monitoring', 'webhook', 'diff'];

/** The entry in an undocumented response: the response itself, or the entry under one of these keys. */
export const Reply = z.unknown().transform((value): IDataObject => {
	const [reply] = [value].flat();
	if (!isObject(reply)) return {};
	const wrapper = WRAPPERS.find((name) => name in reply && !('id' in reply));
	const entry = wrapper ? reply[wrapper] : reply;
	return isObject(entry) ? entry : {};
});

export const Entry = Reply.pipe(AnyEntry);
export const NewEntry = Reply.pipe(Identified);
