import type { IDataObject } from 'n8n-workflow';
import { listOf, Robot } from './entities';
import { path, type ApiRequest } from './request';

/** A robot; both APIs know it under this path. */
export const getRobot = (robotId: string): ApiRequest => ({
	method: 'GET',
	path: path`/robots/${robotId}`,
});

/** The robots; the cloud in pages, a self-hosted server all of them in no order. */
export const getRobots: ApiRequest = { method: 'GET', path: '/robots' };

export const Robots = listOf(Robot);

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
