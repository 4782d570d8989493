import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

/** Checks only whether the login is complete. Only the website knows whether it is right. */
export async function testLogin(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const isComplete = Boolean(data?.user && data.password);
	return await Promise.resolve(
		isComplete
			? { status: 'OK', message: 'The user name and the password are set' }
			: { status: 'Error', message: 'Enter the user name and the password' },
	);
}
