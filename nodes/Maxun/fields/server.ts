import type { INodeProperties } from 'n8n-workflow';
import type { Dialect } from '../api/service';

/**
 * Which API the node speaks to: it decides about the credential and about what is offered.
 *
 * Each node hides the credential of the other server, and does not show its own by this field: n8n's editor would take
 * it for the way to authenticate, and offer it in the credential instead of in the node.
 */
export const serverField: INodeProperties = {
	displayName: 'Server',
	name: 'server',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Cloud', value: 'cloud', description: 'The hosted service at app.maxun.dev' },
		{ name: 'Self-Hosted', value: 'selfHosted', description: 'A Maxun server of your own' },
	],
	default: 'cloud',
	description: 'Where your robots live',
};

/** The field for one kind of server alone. */
export const onlyOn = (server: Dialect, field: INodeProperties): INodeProperties => ({
	...field,
	displayOptions: {
		...field.displayOptions,
		show: { ...field.displayOptions?.show, server: [server] },
	},
});

/** The option, in a collection, for one kind of server alone. */
export const optionOnlyOn = (server: Dialect, option: INodeProperties): INodeProperties => ({
	...option,
	displayOptions: {
		...option.displayOptions,
		show: { ...option.displayOptions?.show, '/server': [server] },
	},
});
