import 'reflect-metadata';
import { createRequire } from 'node:module';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// n8n's engine needs these before it loads.
process.env.N8N_USER_FOLDER ??= mkdtempSync(join(tmpdir(), 'n8n-simulation-'));
process.env.N8N_LOG_LEVEL ??= 'silent';

// As CommonJS, like n8n itself, so that the engine, the nodes and the simulation share one copy of each.
const require = createRequire(import.meta.url);

export const core: typeof import('n8n-core') = require('n8n-core');
export const workflow: typeof import('n8n-workflow') = require('n8n-workflow');

const ofCore = createRequire(require.resolve('n8n-core'));
const { Container }: typeof import('@n8n/di') = ofCore('@n8n/di');
const logger: ConstructorParameters<typeof core.BinaryDataService>[2] = Container.get(
	ofCore('@n8n/backend-common').Logger,
);

/** Listens to what the nodes log. @param log gets each message with its level */
export function listenToLog(log: (level: string, message: string) => void): void {
	logger.warn = (message) => log('warning', message);
	logger.error = (message) => log('error', message);
}

const network = createRequire(require.resolve('n8n-core')).resolve('@n8n/backend-network');

/** The HTTP client of n8n's engine. */
export const axios: AxiosLike = createRequire(network)('axios');

/** The parts of a request that n8n's engine sets. */
export interface AxiosRequest {
	url?: string;
	method?: string;
	params?: Record<string, unknown>;
	data?: unknown;
	headers: { toJSON(): Record<string, unknown> };
	timeout?: number;
	signal?: AbortSignal;
	maxRedirects?: number;
	responseType?: string;
}

/** The part of the HTTP client that the simulation replaces. */
interface AxiosLike {
	defaults: { adapter: unknown };
	AxiosError: new (message: string, code: string, config: AxiosRequest) => Error;
	CanceledError: new (message: undefined, config: AxiosRequest) => Error;
}
