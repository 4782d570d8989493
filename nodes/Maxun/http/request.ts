import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import type { z } from 'zod';
import { MaxunFault } from './fault';

export interface ApiRequest {
	method: IHttpRequestMethods;
	/** Relative to the API root, with variable parts encoded. See `path`. */
	path: string;
	query?: IDataObject;
	body?: IDataObject | FormData;
	timeout?: number;
	/** Whether the response takes as long as a run. The request doesn't block others then. */
	isLong?: boolean;
}

export type ResponseSchema<T> = z.ZodType<T, z.ZodTypeDef, unknown>;

/**
 * A path with encoded variable parts, so that an ID never leads to another endpoint.
 *
 * @throws MaxunFault for an ID that consists only of dots, because URL parsers treat it as a folder
 */
export function path(strings: TemplateStringsArray, ...ids: string[]): string {
	return String.raw({ raw: strings }, ...ids.map(encodeId));
}

function encodeId(id: string): string {
	if (/^\.*$/.test(id)) {
		throw new MaxunFault(
			`'${id}' is not an ID`,
			'Select the entry from the list, or paste its ID',
			{
				forModel: 'Use a tool that lists IDs, then call this tool again with one of them',
			},
		);
	}
	return encodeURIComponent(id);
}

/** The fields that aren't undefined. Keeps empty values, because they clear a field. */
export const withoutUndefined = (fields: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The fields with a value: neither undefined nor an empty text or list. */
export const withoutEmpty = (fields: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => hasValue(value)));

const hasValue = (value: unknown) =>
	value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
