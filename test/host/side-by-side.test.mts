import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEYS } from '../sandbox/index.mts';
import { chain, maxunNode, node } from './nodes.mts';
import { jsonOf } from './rest.mts';
import { openStage, type Stage } from './stage.mts';

/** Packages that n8n loads before and after this one. Both have a credential type for Maxun with its most likely name. */
const OTHERS = ['n8n-nodes-a-maxun', 'n8n-nodes-z-maxun'];

const CREDENTIAL = `exports.MaxunApi = class {
	name = 'maxunApi';
	displayName = 'Other Maxun API';
	properties = [{ displayName: 'Token', name: 'token', type: 'string', default: '' }];
	authenticate = {
		type: 'generic',
		properties: { headers: { Authorization: '=Bearer {{$credentials.token}}' } },
	};
};`;

const NODE = `exports.Other = class {
	description = {
		displayName: 'Other', name: 'other', group: ['input'], version: 1, description: 'Another node for Maxun',
		defaults: { name: 'Other' }, inputs: ['main'], outputs: ['main'],
		credentials: [{ name: 'maxunApi', required: true }],
		properties: [{ displayName: 'URL', name: 'url', type: 'string', default: '' }],
	};
	async execute() {
		const options = { url: this.getNodeParameter('url', 0), json: true };
		const json = await this.helpers.httpRequestWithAuthentication.call(this, 'maxunApi', options);
		return [[{ json }]];
	}
};`;

/** Adds the packages to the folder from which n8n loads community nodes. */
async function installOthers(userFolder: string): Promise<void> {
	for (const name of OTHERS) {
		const folder = join(userFolder, '.n8n', 'nodes', 'node_modules', name);
		await mkdir(folder, { recursive: true });
		const manifest = {
			name,
			version: '1.0.0',
			keywords: ['n8n-community-node-package'],
			n8n: {
				n8nNodesApiVersion: 1,
				credentials: ['MaxunApi.credentials.js'],
				nodes: ['Other.node.js'],
			},
		};
		await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
		await writeFile(join(folder, 'MaxunApi.credentials.js'), CREDENTIAL);
		await writeFile(join(folder, 'Other.node.js'), NODE);
	}
}

describe('Packages with a credential type called maxunApi', () => {
	let stage: Stage;

	beforeAll(async () => {
		stage = await openStage({ prepare: installOthers });
	});

	afterAll(async () => await stage?.close());

	it('all packages authenticate with their own credentials', async () => {
		const data = { token: String(KEYS.owner) };
		const name = 'Other account';
		await stage.rest.createCredential({ name, type: 'maxunApi', data });
		const url = `${stage.sandbox.baseUrl}/usage`;
		const credentials = { maxunApi: { id: null, name } };
		const workflow = chain('Side by side', [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			...OTHERS.map((type) => node(type, `${type}.other`, 1, { url }, { credentials })),
			maxunNode('Maxun', 'cloud', 'account', 'getUsage'),
		]);
		const { id } = await stage.rest.createWorkflow(workflow);
		const execution = await stage.rest.finished(await stage.rest.run(id, 'Start'));
		expect(execution.error).toBeUndefined();
		const [usage] = jsonOf(execution, 'Maxun');
		expect(usage).toMatchObject({ credits: expect.anything() });
		for (const other of OTHERS) {
			expect(jsonOf(execution, other)).toMatchObject([{ success: true }]);
		}
	});
});
