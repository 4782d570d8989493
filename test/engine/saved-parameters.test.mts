import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { loadPackage } from '../helpers/engine/index.mts';
import { PACKAGE_NAME } from '../helpers/engine/package.mts';

const NODES = ['maxun', 'maxunTrigger'];

/** Fields that n8n doesn't save. */
const SHOWN_ONLY = ['notice', 'callout', 'button'];

// n8n doesn't save defaults, so a new default also changes saved workflows.
it('the parameters that n8n saves are recorded (`npm run schemas` records them)', async () => {
	const { nodeTypes, credentialType, credentialTypeNames } = await loadPackage();
	const nodes = NODES.map((name) => nodeTypes.getByNameAndVersion(`${PACKAGE_NAME}.${name}`));
	const lines = [
		...nodes.flatMap(({ description }) => parametersOf(description)),
		...credentialTypeNames.flatMap((name) =>
			credentialType(name).properties.flatMap((property) => linesOf(property, `${name}: `)),
		),
	];
	expect(lines.length).toBeGreaterThan(500);
	const text = `${[...new Set(lines)].sort().join('\n')}\n`;
	await expect(text).toMatchFileSnapshot('./saved-parameters.txt');
});

const parametersOf = ({ name, properties, ...description }: INodeTypeDescription) => [
	...[description.version].flat().map((version) => `${name}: version ${version}`),
	...(description.credentials ?? []).map(({ name: type }) => `${name}: credential ${type}`),
	...(description.webhooks ?? []).map(
		({ name: webhook, httpMethod, path }) => `${name}: webhook ${webhook} ${httpMethod} ${path}`,
	),
	...properties.flatMap((property) =>
		prefixesOf(property).flatMap((prefix) => linesOf(property, `${name}: ${prefix}`)),
	),
];

/** The operations that have the field; empty if all of them have it. */
function prefixesOf({ displayOptions }: INodeProperties): string[] {
	const { resource = [], operation = [] } = displayOptions?.show ?? {};
	const resources = resource.map((value) => `${String(value)} `);
	if (operation.length === 0) return resources.length > 0 ? resources : [''];
	return resources.flatMap((prefix) => operation.map((value) => `${prefix}${String(value)} `));
}

function linesOf(property: INodeProperties, prefix: string): string[] {
	const { name, type, typeOptions, options = [], modes = [] } = property;
	if (SHOWN_ONLY.includes(type)) return [];
	const path = `${prefix}${name}`;
	const isList = typeOptions?.multipleValues === true;
	return [
		`${path} is ${type}${isList ? ' list' : ''}, default ${JSON.stringify(property.default)}`,
		...modes.map((mode) => `${path} has mode ${mode.name}`),
		...options.flatMap((option) => {
			if ('values' in option) {
				return option.values.flatMap((value) => linesOf(value, `${path}.${option.name}.`));
			}
			if ('type' in option) return linesOf(option, `${path}.`);
			return [`${path} accepts ${JSON.stringify(option.value)}`];
		}),
	];
}
