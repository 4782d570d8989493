import type { INodeProperties } from 'n8n-workflow';
import type { ServerKind } from '../servers/types';

/**
 * Which kind of server the node uses.
 *
 * Each node shows its credentials by `displayOptions.show` on this field. n8n's editor then offers credentials of both
 * types in one list. It sets the field from the selected credential and removes it from the form.
 */
export const serverField: INodeProperties = {
	displayName: 'Server',
	name: 'server',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Maxun Cloud', value: 'cloud', description: 'The service at app.maxun.dev' },
		{
			name: 'Self-Hosted',
			value: 'selfHosted',
			description: 'A Maxun server that you host yourself',
		},
	],
	default: 'cloud',
	description: 'Where your robots are',
};

/** The field, shown only for one kind of server. */
export const onlyOn = (server: ServerKind, field: INodeProperties): INodeProperties => ({
	...field,
	displayOptions: {
		...field.displayOptions,
		show: { ...field.displayOptions?.show, server: [server] },
	},
});

/** The option of a collection, shown only for one kind of server. */
export const optionOnlyOn = (server: ServerKind, option: INodeProperties): INodeProperties => ({
	...option,
	displayOptions: {
		...option.displayOptions,
		show: { ...option.displayOptions?.show, '/server': [server] },
	},
});
