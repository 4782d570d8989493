import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import type { z } from 'zod';
import { MaxunFault } from './fault';
import { cut, forMessage, MAX_LENGTH } from './text';

export interface ApiRequest {
	method: IHttpRequestMethods;
	/** Relative to the API root, built with `path`. */
	path: string;
	query?: IDataObject;
	body?: IDataObject | FormData;
	timeout?: number;
	/** The response takes as long as a run, so the request doesn't block others. */
	isLong?: boolean;
}

export type ResponseSchema<T> = z.ZodType<T, z.ZodTypeDef, unknown>;

/** Encodes IDs, so that they don't lead elsewhere. @throws MaxunFault for folders, routes and other values that aren't IDs */
export function path(strings: TemplateStringsArray, ...ids: string[]): string {
	return String.raw({ raw: strings }, ...ids.map(encodeId));
}

function encodeId(id: string): string {
	if (id.length > MAX_LENGTH.value || /^(\.*|active)$|\p{Surrogate}/iu.test(id)) {
		throw new MaxunFault(
			`'${forMessage(cut(id, 100))}' is not an ID`,
			'Select the entry from the list, or paste its ID',
			{ forModel: 'Use a tool that lists IDs, then call this tool again with one of them' },
		);
	}
	return encodeURIComponent(id);
}

/** Keeps empty values, because they clear a field. */
export const withoutUndefined = (fields: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

export const withoutEmpty = (fields: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => isGiven(value)));

const isGiven = (value: unknown) =>
	value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
