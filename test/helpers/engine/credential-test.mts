import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';
import { TestCredentials } from './credentials.mts';
import { ACTION_NODE, loadPackage, TRIGGER_NODE } from './package.mts';
import { additionalData } from './workflow.mts';

/**
 * Tests a credential like the Save button in n8n's credential dialog: with the function of the first node that has one
 * for the credential's type, as `CredentialsTester` in n8n's server package does.
 */
export async function credentialTest(
	type: string,
	values: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
	const loaded = await loadPackage();
	const data = new TestCredentials(loaded, {}).withDefaults(type, values);
	for (const name of [ACTION_NODE, TRIGGER_NODE]) {
		const { description, methods } = loaded.nodeTypes.getByNameAndVersion(name);
		const { testedBy } = description.credentials?.find((used) => used.name === type) ?? {};
		const test = typeof testedBy === 'string' ? methods?.credentialTest?.[testedBy] : undefined;
		const context = new CredentialTestContext(additionalData(loaded, { [type]: data }, {}));
		if (test) return await test.call(context, { id: type, name: type, type, data });
	}
	throw new Error(`No node tests the credential type '${type}'`);
}
