import type { INodeParameterResourceLocator, INodeParameters } from 'n8n-workflow';
import { changeFields } from '../../nodes/Maxun/fields/changes.ts';
import { isLimit } from '../../nodes/Maxun/operations/options.ts';

export const locator = (
	value: string,
	mode: 'list' | 'id' | 'url' | 'name' = 'id',
): INodeParameterResourceLocator => ({ __rl: true, mode, value });

export const maxun = (
	resource: string,
	operation: string,
	parameters: INodeParameters = {},
): INodeParameters => ({ server: 'cloud', resource, operation, ...inGroups(parameters) });

/** Tests give all options together. */
export function inGroups(given: INodeParameters): INodeParameters {
	if (!isParameters(given.options)) return given;
	const groups: Record<string, INodeParameters> = { options: {} };
	for (const [name, value] of Object.entries(given.options)) {
		const isChange = changeFields.some((field) => field.name === name);
		const group = isChange ? 'comparison' : isLimit({ name }) ? 'limits' : 'options';
		(groups[group] ??= {})[name] = value;
	}
	return { ...groups, ...given, options: groups.options };
}

/** Parameters that accept no expression in the editor, or that are part of a locator. */
const FIXED = ['server', 'resource', 'operation', 'mode', 'what', '__rl'];

/**
 * The same parameters, with an expression for each text, which reads it from the input item. So one node can process
 * different items.
 * @param path the values' path in the item, such as `$json.parameters`
 */
export function fromItem(parameters: INodeParameters, path = '$json.parameters'): INodeParameters {
	return Object.fromEntries(
		Object.entries(parameters).map(([name, value]) => {
			const at = `${path}[${JSON.stringify(name)}]`;
			if (FIXED.includes(name)) return [name, value];
			if (typeof value === 'string') return [name, `={{ ${at} }}`];
			return [name, isParameters(value) ? fromItem(value, at) : value];
		}),
	);
}

const isParameters = (value: unknown): value is INodeParameters =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
