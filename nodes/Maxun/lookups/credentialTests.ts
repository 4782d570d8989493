import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { z } from 'zod';
import { accountOf } from '../http/credentials';
import { faultOfError, readResponse } from '../http/exchange';
import { faultOf } from '../http/fault';
import type { Protocol } from '../http/context';
import type { ApiRequest } from '../http/request';
import { faultOfContent } from '../http/responseFaults';
import { MINUTE } from '../http/time';
import { isObject } from '../http/values';
import { SERVER_KINDS, SERVERS } from '../servers';

const Response = z
	.object({ statusCode: z.number(), headers: z.custom<IDataObject>(), body: z.unknown() })
	.transform(({ statusCode, headers, body }) => ({ status: statusCode, headers, body }));

/** n8n's own test would show only an error code if it can't connect. */
async function tryCredential(
	{ helpers }: ICredentialTestFunctions,
	credential: ICredentialDataDecryptedObject,
	protocol: Protocol,
): Promise<void> {
	const account = accountOf(credential, protocol);
	const origin = { protocol, account };
	const { path, field } = protocol.probe;
	const request: ApiRequest = { method: 'GET', path };
	const url = account.baseUrl + path;
	// Some web servers return a page unless the client asks for JSON.
	const { headers } = await protocol.credential.authenticate(credential, {
		url,
		headers: { accept: 'application/json' },
	});
	const sending: Promise<unknown> = helpers.request({
		uri: url,
		headers,
		json: true,
		simple: false,
		resolveWithFullResponse: true,
		followRedirect: false, // Sends the key only to the Base URL.
		timeout: MINUTE,
	});
	const response = await sending.catch((error: unknown) => {
		throw faultOfError(error, request, origin);
	});
	const found = Response.parse(response);
	readResponse(found, request, z.unknown(), origin);
	if (!isObject(found.body) || !(field in found.body))
		throw faultOfContent(found, request, protocol, `It lacks '${field}'`);
}

const testWith = (protocol: Protocol) =>
	async function (
		this: ICredentialTestFunctions,
		{ data = {} }: ICredentialsDecrypted,
	): Promise<INodeCredentialTestResult> {
		const fault = await faultOf(tryCredential(this, data, protocol));
		return fault
			? { status: 'Error', message: fault.text }
			: { status: 'OK', message: 'Connection successful!' };
	};

/** Only the website can tell whether the login is right. */
async function login(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await Promise.resolve(
		data?.user && data.password
			? { status: 'OK', message: 'The user name and the password are set' }
			: { status: 'Error', message: 'Enter the user name and the password' },
	);
}

export const credentialTest = {
	...Object.fromEntries(SERVER_KINDS.map((kind) => [kind, testWith(SERVERS[kind].protocol)])),
	login,
};
