import Fastify, { type FastifyInstance } from 'fastify';
import { KEYS, TEAM_ID } from './accounts.mts';
import { registerApi } from './api/api.mts';
import { Control, registerControl } from './control.mts';
import { PLACEHOLDER } from './engine/work.mts';
import { ApiError, messageOf } from './errors.mts';
import { DEMO, initialState } from './seed.mts';
import type { Settings } from './settings.mts';
import { registerSite } from './site/site.mts';
import { registerSelfHosted } from './self-hosted/register.mts';
import { Store } from './store.mts';
import { World } from './world.mts';

export { DEMO, KEYS, TEAM_ID };
export type { Settings };
export { emptyData } from './model.mts';

export interface SandboxOptions {
	/** By default 0, any free port. */
	port?: number;
	host?: string;
	/** The state file; by default, in memory. */
	stateFile?: string;
	settings?: Partial<Settings>;
}

export interface Sandbox {
	url: string;
	baseUrl: string;
	siteUrl: string;
	control: Control;
	close(): Promise<void>;
}

const MAX_BODY_BYTES = 20 * 1024 * 1024;

/**
 * Starts a sandbox: the API, robots that fetch its pages, and a demo shop.
 * @throws Error if the port is in use (code `EADDRINUSE`) or the state file is unreadable
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, host = '127.0.0.1', stateFile, settings } = options;
	const store = Store.open(stateFile, () => initialState('http://sandbox.invalid'));
	const world = new World(store, settings);
	const app = Fastify({
		forceCloseConnections: true,
		bodyLimit: MAX_BODY_BYTES,
	});
	answerErrors(app);
	await registerApi(app, world);
	await registerSelfHosted(app, world);
	const control = new Control(world);
	registerControl(app, control);
	await registerSite(app, world);
	registerFiles(app, world);
	await app.listen({ port, host });
	const url = originOf(app, host);
	store.relocate(url);
	world.resume();
	let closing: Promise<void> | undefined;
	return {
		url,
		baseUrl: `${url}/api/v1`,
		siteUrl: `${url}/site`,
		control,
		close: async () => await (closing ??= world.close().finally(async () => await app.close())),
	};
}

function registerFiles(app: FastifyInstance, world: World): void {
	app.get<{ Params: { name: string } }>('/files/:name', async (request, reply) => {
		const { selfHostedFileStoreDown: isDown } = world.settings;
		if (isDown) return await reply.code(503).send('The file store is down');
		const url = `${world.origin}/files/${request.params.name}`;
		const exists = world.state.runs.some(({ screenshots }) => screenshots.includes(url));
		if (!exists) return await reply.code(404).send('Not found');
		return await reply.type('image/png').send(PLACEHOLDER);
	});
}

/** Handles errors outside the API: in the control API and the demo shop. */
function answerErrors(app: FastifyInstance): void {
	app.setErrorHandler(async (error, _request, reply) => {
		const status = error instanceof ApiError ? error.status : 500;
		if (status === 500) console.error(error);
		const message = messageOf(error);
		return await reply.code(status).send({ success: false, error: message });
	});
}

function originOf(app: FastifyInstance, host: string): string {
	const address = app.server.address();
	if (address === null || typeof address === 'string') throw new Error('The sandbox has no port');
	const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
	return `http://${name}:${address.port}`;
}
