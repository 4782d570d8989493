import type { ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

/** The user name and password that a robot types into the login form of a website. */
export class MaxunWebsiteLoginApi implements ICredentialType {
	name = 'maxunWebsiteLoginApi';

	displayName = 'Website Login for Maxun API';

	icon: Icon = { light: 'file:../icons/maxun.svg', dark: 'file:../icons/maxun.dark.svg' };

	documentationUrl =
		'https://github.com/n8n-nodes-maxun-robots/n8n-nodes-maxun-robots/blob/main/docs/log-in.md';

	properties: INodeProperties[] = [
		{
			displayName: "n8n can't try this login. Run the node to see whether it works.",
			name: 'notice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'User Name',
			name: 'user',
			type: 'string',
			required: true,
			default: '',
			description: 'The user name or email address that the robot types',
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'The password that the robot types. Maxun stores it, encrypted, in the robot. A temporary robot is deleted after its run.',
		},
	];
}
