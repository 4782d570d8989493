import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import { MaxunFault } from './fault';

/** One request to the API, without address and credentials. */
export interface ApiRequest {
	method: IHttpRequestMethods;
	/** Below the credential's base URL, with every variable part encoded; see `path`. */
	path: string;
	query?: IDataObject;
	body?: IDataObject | FormData;
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

/** The fields that were set: neither undefined nor an empty text or list. */
export function definedFields(fields: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => isSet(value)));
}

const isSet = (value: unknown) =>
	value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
