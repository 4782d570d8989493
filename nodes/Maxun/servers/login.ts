import type { MaxunContext } from '../http/context';
import { MaxunFault } from '../http/fault';
import type { Login } from './definition';

const LOGIN = 'maxunWebsiteLoginApi';

/** The texts for a login form. @throws MaxunFault if the node has no login credential */
export async function readLogin(context: MaxunContext, itemIndex = 0): Promise<Login> {
	if (!context.getNode().credentials?.[LOGIN]) {
		throw new MaxunFault(
			'A step types text from a credential, but no login credential is selected',
			"Select a credential in 'Website Login (Optional)', or set 'Text From' to 'Value'",
		);
	}
	const { user, password } = await context.getCredentials(LOGIN, itemIndex);
	return { user: String(user ?? ''), password: String(password ?? '') };
}
