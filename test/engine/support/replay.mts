import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { execute } from '../../helpers/engine/index.mts';
import { maxun } from '../../helpers/parameters.mts';
import type { Exchange } from '../../helpers/recordings.mts';
import type { TestSandbox } from '../../helpers/sandbox.mts';

/** An operation, and the recorded response to its request. */
export interface Replay {
	resource: string;
	operation: string;
	parameters: INodeParameters;
	/** The server's responses to the operation's other requests. */
	before?: Array<Pick<Exchange, 'method' | 'path' | 'status' | 'answer'>>;
	sdk?: 'none' | 'observed';
	/** The IDs of the items; if undefined, the error's words. */
	ids?: string[];
	fields?: IDataObject;
}

/** Recordings of routes that the nodes don't use, and why. */
export const UNUSED: Array<[route: RegExp, because: string]> = [
	[/^POST .*\/execute$/, 'POST /robots/{id}/runs does the same'],
	[/^POST \/api\/sdk\/.*\/duplicate$/, '/robots/{id}/duplicate exists'],
	[/^GET \/api\/sdk\/robots\/[^/]+\/runs$/, 'the documented list exists'],
	// It rejects API keys, and the robot contains its webhooks.
	[/^GET \/webhook\/list\//, 'only the dashboard can use it'],
];

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
