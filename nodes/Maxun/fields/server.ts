import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { INITIAL_KIND, kindsWith, SERVER_KINDS, SERVERS } from '../servers';
import type { Features } from '../servers/features';
import type { Field } from './field';

/**
 * Which kind of server the node uses.
 *
 * Each node shows its credentials by `displayOptions.show` on this field. n8n's editor then offers credentials of
 * both types in one list. It sets this field when a credential is selected, and removes the field from the form.
 */
export const serverField: INodeProperties = {
	displayName: 'Server',
	name: 'server',
	type: 'options',
	noDataExpression: true,
	options: SERVER_KINDS.map((value) => {
		const { name, description } = SERVERS[value];
		return { name, value, description };
	}),
	default: INITIAL_KIND,
	description: 'Where your robots are',
};

/** The field, shown only for kinds of server with a feature. */
export const onlyWith = <const F extends Field>(
	feature: keyof Features,
	field: F,
): F & { displayOptions: IDisplayOptions } => ({
	...field,
	displayOptions: {
		...field.displayOptions,
		show: { ...field.displayOptions?.show, server: kindsWith(feature) },
	},
});

/** The option of a collection, shown only for kinds of server with a feature. */
export const optionOnlyWith = <const F extends Field>(feature: keyof Features, option: F): F => ({
	...option,
	displayOptions: {
		...option.displayOptions,
		show: { ...option.displayOptions?.show, '/server': kindsWith(feature) },
	},
});
