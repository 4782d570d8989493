import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import type { z } from 'zod';
import { MaxunFault } from './fault';

/** One request to the API, without address and credentials. */
export interface ApiRequest {
	method: IHttpRequestMethods;
	/** Below the credential's base URL, with every variable part encoded; see `path`. */
	path: string;
	query?: IDataObject;
	body?: IDataObject | FormData;
	/** How long the server may take to answer, in milliseconds; without it a minute. */
	timeout?: number;
}

/**
 * A path whose variable parts are encoded, so that an id can never reach another endpoint.
 *
 * @throws MaxunFault for an id of nothing but dots, which every URL parser takes for a folder
 */
export function path(strings: TemplateStringsArray, ...ids: string[]): string {
	return String.raw({ raw: strings }, ...ids.map(encodeId));
}

function encodeId(id: string): string {
	if (/^\.*$/.test(id)) {
		throw new MaxunFault(`'${id}' is not an ID`, 'Choose the entry from the list, or paste its ID');
	}
	return encodeURIComponent(id);
}

/** The fields that were given, be it with nothing, which clears them. */
export const givenFields = (fields: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The fields that were set: neither undefined nor an empty text or list. */
export function definedFields(fields: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => isSet(value)));
}

const isSet = (value: unknown) =>
	value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

/** Reads a payload into what the caller needs, or says what is wrong with it. */
export type Answer<T> = z.ZodType<T, z.ZodTypeDef, unknown>;

/**
 * Sends a request and reads its answer.
 *
 * @param within how many milliseconds may be waited for another attempt, where less than usual
 * @throws MaxunFault for everything that is not a success
 */
export type Call = <T>(request: ApiRequest, answer: Answer<T>, within?: number) => Promise<T>;
