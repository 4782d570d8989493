import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IExecuteFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { MaxunFault } from '../http/fault';
import type { Login } from '../servers/definition';

export const LOGIN = 'maxunWebsiteLoginApi';

/** What the robot types into a login form. @throws MaxunFault if the node has no such credential */
export async function readLogin(context: IExecuteFunctions, itemIndex: number): Promise<Login> {
	if (!context.getNode().credentials?.[LOGIN]) {
		throw new MaxunFault(
			'A step types text from a credential, and the node has none',
			"Select a credential in 'Website Login', or set 'Text From' to 'Value'",
		);
	}
	const { user, password } = await context.getCredentials(LOGIN, itemIndex);
	return { user: String(user ?? ''), password: String(password ?? '') };
}

/** Only the website knows whether a login is right, so this only says whether it is complete. */
export async function testLogin(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const isComplete = Boolean(data?.user && data.password);
	return await Promise.resolve(
		isComplete
			? { status: 'OK', message: 'The user and the password are set' }
			: { status: 'Error', message: 'Enter the user and the password' },
	);
}
