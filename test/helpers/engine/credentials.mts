import { NodeHelpers } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	INodeCredentials,
	INodeCredentialsDetails,
	INodeParameters,
	INodeProperties,
	IRequestOptionsSimplified,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { SimpleCredentials } from './credentials-helper.mts';
import type { LoadedPackage } from './package.mts';

export type CredentialValues = Record<string, ICredentialDataDecryptedObject>;

/** What n8n stores in a node for each credential. */
export const credentialReferences = (values: CredentialValues): INodeCredentials =>
	Object.fromEntries(Object.keys(values).map((type) => [type, { id: type, name: type }]));

/** Returns the test's credential values and signs requests with them, like n8n's helper. */
export class TestCredentials extends SimpleCredentials {
	constructor(
		private readonly loaded: LoadedPackage,
		private readonly values: CredentialValues,
	) {
		super();
	}

	override getCredentialsProperties(type: string): INodeProperties[] {
		return this.loaded.credentialType(type).properties;
	}

	override async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		_reference: INodeCredentialsDetails,
		type: string,
	): Promise<ICredentialDataDecryptedObject> {
		const values = this.values[type];
		if (values === undefined) throw new Error(`The test gave no values for '${type}'`);
		return this.withDefaults(type, values);
	}

	/** Fields without a value have the type's default. */
	withDefaults(type: string, values: ICredentialDataDecryptedObject) {
		const properties = this.getCredentialsProperties(type);
		const asParameters: INodeParameters = JSON.parse(JSON.stringify(values));
		const filled = NodeHelpers.getNodeParameters(properties, asParameters, true, false, null, null);
		const complete: ICredentialDataDecryptedObject = JSON.parse(JSON.stringify(filled));
		return complete;
	}

	override async authenticate(
		credentials: ICredentialDataDecryptedObject,
		type: string,
		request: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		const options: IHttpRequestOptions = 'url' in request ? request : { ...request, url: '' };
		const { authenticate } = this.loaded.credentialType(type);
		return typeof authenticate === 'function' ? await authenticate(credentials, options) : options;
	}
}
