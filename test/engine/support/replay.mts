import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { execute } from '../../helpers/engine/index.mts';
import { maxun } from '../../helpers/parameters.mts';
import type { Exchange } from '../../helpers/recordings.mts';
import type { TestSandbox } from '../../helpers/sandbox.mts';

/** An operation whose request the recorded response answers. */
export interface Replay {
	resource: string;
	operation: string;
	parameters: INodeParameters;
	/** What the server answers to other requests of the operation. */
	before?: Array<Pick<Exchange, 'method' | 'path' | 'status' | 'answer'>>;
	/** The version of the routes below `/sdk`. */
	sdk?: 'none' | 'observed';
	/** The IDs of the items, or the error's words if undefined. */
	ids?: string[];
	/** Fields that the first item contains. */
	fields?: IDataObject;
}

/** Recordings of routes that the nodes don't use, and why. */
export const UNUSED: Array<{ route: RegExp; method: string; because: string }> = [
	{ method: 'POST', route: /\/execute$/, because: 'POST /robots/{id}/runs does the same' },
	{
		method: 'POST',
		route: /^\/api\/sdk\/.*\/duplicate$/,
		because: '/robots/{id}/duplicate exists',
	},
	{
		method: 'GET',
		route: /^\/api\/sdk\/robots\/[^/]+\/runs$/,
		because: 'the documented list exists',
	},
	{
		method: 'GET',
		route: /^\/webhook\/list\//,
		because: 'only the dashboard can use it, without an API key. The robot contains its webhooks',
	},
];

/** Answers with the recordings, and runs the operation. */
export async function replay(sandbox: TestSandbox, exchange: Exchange, setup: Replay) {
	const { resource, operation, parameters, before = [], sdk = 'observed' } = setup;
	await sandbox.control.settings({ selfHostedForm: 'observed', selfHostedSdk: sdk });
	for (const { method, path, status, answer } of [...before, exchange]) {
		const pathname = path.replace(/^\/api/, '').replace(/\?.*$/, '');
		await sandbox.control.fault({
			method,
			path: `^${pathname.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`,
			kind: 'status',
			status,
			body: typeof answer === 'string' ? answer : JSON.parse(JSON.stringify(answer)),
		});
	}
	const all = { server: 'selfHosted', ...parameters, generalOptions: { maxRetries: 0 } };
	const { items, error } = await execute({
		parameters: maxun(resource, operation, all),
		credentials: sandbox.serverCredentials(),
	});
	return { items: (items[0] ?? []).map(({ json }) => json), error };
}
