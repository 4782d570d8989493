import 'reflect-metadata';
import { createRequire } from 'node:module';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IHttpRequestOptions } from 'n8n-workflow';

// n8n's engine needs these before it loads.
process.env.N8N_USER_FOLDER ??= mkdtempSync(join(tmpdir(), 'n8n-simulation-'));
process.env.N8N_LOG_LEVEL ??= 'silent';

// As CommonJS, like n8n itself, so that the engine, the nodes and the simulation share one copy of each module.
const require = createRequire(import.meta.url);

export const core: typeof import('n8n-core') = require('n8n-core');
export const workflow: typeof import('n8n-workflow') = require('n8n-workflow');

const ofCore = createRequire(require.resolve('n8n-core'));
const { Container }: typeof import('@n8n/di') = ofCore('@n8n/di');
const logger: ConstructorParameters<typeof core.BinaryDataService>[2] = Container.get(
	ofCore('@n8n/backend-common').Logger,
);

// n8n shows these messages only on request, and finding out where they come from is slow.
logger.info = () => {};
logger.debug = () => {};

/** Listens to what the nodes log. @param log receives each message with its level */
export function listenToLog(log: (level: string, message: string) => void): void {
	logger.warn = (message) => log('warning', message);
	logger.error = (message) => log('error', message);
}

const network = ofCore.resolve('@n8n/backend-network');

/** n8n's HTTP client (OutboundHttp). The simulation replaces its requests, because axios is slow. */
export const http: {
	requests(): { request(options: IHttpRequestOptions): Promise<unknown> };
} = Container.get(ofCore(network).OutboundHttp);

/** This client's errors. */
export const { AxiosError, CanceledError }: Errors = createRequire(network)('axios');

interface Errors {
	AxiosError: new (
		message: string,
		code: string,
		config?: undefined,
		request?: undefined,
		response?: { status: number; data: unknown },
	) => Error;
	CanceledError: new () => Error;
}
