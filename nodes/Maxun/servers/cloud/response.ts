import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { isObject } from '../../http/values';
import { AnyObject } from '../entities';

/** A successful response's payload: `data`, or everything except `success`; null for an empty body. */
export function payloadOf(body: unknown): unknown {
	if (!isObject(body)) return body === '' || body === undefined ? null : body;
	if ('data' in body) return body.data;
	return Object.fromEntries(Object.entries(body).filter(([key]) => key !== 'success'));
}

const WRAPPERS = ['robot', 'agent', 'run', 'schedule', 'monitoring', 'webhook', 'diff'];

/** The entry in an undocumented response: the response itself, or the entry under one of these keys. */
export const Reply = z.unknown().transform((value): IDataObject => {
	const reply = AnyObject.safeParse(Array.isArray(value) ? value[0] : value);
	if (!reply.success) return {};
	const keys = Object.keys(reply.data);
	const wrapper = WRAPPERS.find((name) => keys.includes(name) && !keys.includes('id'));
	if (!wrapper) return reply.data;
	const inner = AnyObject.safeParse(reply.data[wrapper]);
	return inner.success ? inner.data : {};
});
