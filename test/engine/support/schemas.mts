import type { IDataObject } from 'n8n-workflow';
import { createCompoundSchema, mergeSchemas, type Schema } from 'genson-js';

interface Kept {
	type?: string | string[];
	anyOf?: Kept[];
	properties?: Record<string, Kept>;
	items?: Kept;
}

/** Parts with fields that depend on the robot, page or document, so the schema can't list them. */
const OPEN = ['textData', 'documentData', 'extractionSchema'];
const OPEN_LISTS = ['listData'];

/** Fields that are always `null` in the tests, and their other types. */
const NULLABLE: Record<string, string> = {
	alertEmail: 'string',
	description: 'string',
	error: 'string',
	lastCalledAt: 'string',
	lastSuccessAt: 'string',
	monitoringPrompt: 'string',
	oldestQueuedAt: 'string',
	smartQueries: 'string',
	statusCode: 'integer',
	teamId: 'string',
};

/** A schema in the format of n8n's own nodes: only types, the usual one before `null`. */
function tidy({ type, anyOf = [], properties, items }: Kept, usual?: string): Kept {
	const whole = anyOf.find((part) => part.properties ?? part.items);
	const inner = { properties: properties ?? whole?.properties, items: items ?? whole?.items };
	const types = new Set([type ?? anyOf.map((part) => part.type ?? [])].flat(2));
	if (usual && types.has('null') && types.size === 1) types.add(usual);
	const [only, ...others] = [...types].sort((a, b) => Number(a === 'null') - Number(b === 'null'));
	return {
		...(only && { type: others.length > 0 ? [only, ...others] : only }),
		...(inner.properties && { properties: tidyProperties(inner.properties) }),
		...(inner.items && { items: tidy(inner.items) }),
	};
}

const tidyProperties = (properties: Record<string, Kept>): Record<string, Kept> =>
	Object.fromEntries(
		Object.keys(properties)
			.sort()
			.map((name) => [name, tidyProperty(name, properties[name] ?? {})]),
	);

function tidyProperty(name: string, schema: Kept): Kept {
	const { type, ...rest } = tidy(schema, NULLABLE[name]);
	if (OPEN.includes(name)) return { type };
	if (OPEN_LISTS.includes(name)) return { type, items: { type: 'object' } };
	return { type, ...rest };
}

export const schemaOf = (items: IDataObject[]): Schema => createCompoundSchema(items);

/**
 * The schema of an operation's output, as stored in the package.
 * @param others the schemas of operations with the same kind of entry. A field that is `null` here may have a value
 * there
 */
export function outputSchema(own: Schema, others: Schema[]): object {
	const merged = mergeSchemas([own, ...others]).properties ?? {};
	const names = Object.keys(own.properties ?? {});
	const properties = Object.fromEntries(names.map((name) => [name, merged[name] ?? {}]));
	return { ...tidy({ ...own, properties }), version: 1 };
}
