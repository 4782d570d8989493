import type { IDataObject } from 'n8n-workflow';
import { path, type ApiRequest } from './request';

export const getRobot = (id: string): ApiRequest => ({ method: 'GET', path: path`/robots/${id}` });

/** Creates a robot of a kind that is made from settings. */
export const createRobot = (
	kind: 'scrape' | 'crawl' | 'search',
	body: IDataObject,
): ApiRequest => ({
	method: 'POST',
	path: `/robots/${kind}`,
	body,
});

/** Creates an agent; it is built in the background. */
export const createAgent = (body: IDataObject): ApiRequest => ({
	method: 'POST',
	path: '/agents',
	body,
});

/** Creates a robot from a document. */
export const createDocumentRobot = (kind: 'extract' | 'parse', body: FormData): ApiRequest => ({
	method: 'POST',
	path: `/robots/document-${kind}`,
	body,
});
