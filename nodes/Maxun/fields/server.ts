import type { INodeProperties } from 'n8n-workflow';
import { INITIAL_KIND, kindsWith, SERVER_KINDS, SERVERS } from '../servers';
import type { Feature } from '../servers/types';
import { shownIf, type Field } from './field';

/**
 * Each node shows its credentials depending on this field. So n8n's editor offers credentials of both types in one
 * list. It sets this field when the user selects a credential, and hides the field.
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

export const onlyWith = <const F extends Field>(feature: Feature, field: F) =>
	shownIf({ server: kindsWith(feature) }, field);

/** Shows an option only where a feature exists. */
export const ifServerHas = (feature: Feature) => ({
	displayOptions: { show: { '/server': kindsWith(feature) } },
});

export const ifServerLacks = (feature: Feature) => ({
	displayOptions: {
		show: { '/server': SERVER_KINDS.filter((kind) => !kindsWith(feature).includes(kind)) },
	},
});
