import type { IDataObject } from 'n8n-workflow';

export const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** A union whose members lack each other's fields, so that code can ask for any field. */
export type OneOf<T, All = T> = T extends unknown
	? T & Partial<Record<Exclude<FieldsOf<All>, keyof T>, undefined>>
	: never;
type FieldsOf<T> = T extends unknown ? keyof T : never;

export const isText = (value: unknown): value is string =>
	typeof value === 'string' && value !== '';

export const isEmpty = (value: unknown): boolean =>
	value === null ||
	value === undefined ||
	value === '' ||
	(typeof value === 'object' && (Array.isArray(value) ? value : Object.keys(value)).length === 0);

/** Language models also write these words for an optional value that they leave out. */
export const isLeftOut = (value: unknown): boolean =>
	value === null ||
	value === undefined ||
	(typeof value === 'string' && /^(""|''|null|undefined|)$/i.test(value.trim()));

/** A field's name as given, or without the blanks that a user typed. */
export const nameIn = (object: IDataObject, given: string): string =>
	[given, given.trim()].find((name) => Object.hasOwn(object, name)) ?? given;

/** Inner fields have a path, such as `metadata.title`, unless a field has this name. Missing fields are omitted. */
export function pickFields(object: IDataObject, given: string[]): IDataObject {
	const paths = given.map((path) => nameIn(object, path));
	const own = paths.filter((path) => Object.hasOwn(object, path));
	const picked = Object.fromEntries(own.map((path) => [path, object[path]]));
	const inner = new Map<string, string[]>();
	for (const path of paths.filter((candidate) => !own.includes(candidate))) {
		const [first, ...rest] = path.split('.');
		if (rest.length > 0) inner.set(first, [...(inner.get(first) ?? []), rest.join('.')]);
	}
	for (const [first, innerPaths] of inner) {
		const name = nameIn(object, first);
		const value = Object.hasOwn(object, name) ? object[name] : undefined;
		const found = isObject(value) ? pickFields(value, innerPaths) : {};
		if (Object.keys(found).length > 0) picked[name] = found;
	}
	return picked;
}

export function omitFields(object: IDataObject, given: string[]): IDataObject {
	const paths = given.map((path) => nameIn(object, path));
	const others = Object.entries(object).filter(([name]) => !paths.includes(name));
	const entries = others.map(([name, value]) => {
		const inner = paths.flatMap((path) =>
			path.startsWith(`${name}.`) && !Object.hasOwn(object, path)
				? path.slice(name.length + 1)
				: [],
		);
		return [name, inner.length > 0 && isObject(value) ? omitFields(value, inner) : value];
	});
	return Object.fromEntries(entries);
}

/** The path is as in `pickFields`. */
export function valueAt(object: IDataObject, path: string): unknown {
	const name = nameIn(object, path);
	if (Object.hasOwn(object, name)) return object[name];
	const [first, ...rest] = path.split('.');
	const inner = rest.length > 0 ? valueAt(object, first) : undefined;
	return isObject(inner) ? valueAt(inner, rest.join('.')) : undefined;
}

/** Paths for `pickFields`, one level deep. */
export const pathsOf = (objects: IDataObject[]): string[] => [
	...new Set(
		objects.flatMap((object) =>
			Object.entries(object).flatMap(([name, value]) =>
				isObject(value) && Object.keys(value).length > 0
					? Object.keys(value).map((inner) => `${name}.${inner}`)
					: [name],
			),
		),
	),
];
