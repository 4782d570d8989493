import type { Field, OptionValues } from './field';
import { duplicateOf, isAnyGiven, type Problem } from './parameters';

/** Optional fields in alphabetical order, as n8n requires. */
export const sorted = <F extends Field>(fields: F[]): F[] =>
	[...fields].sort((a, b) => a.displayName.localeCompare(b.displayName));

export const collectionField = <const N extends string, const F extends Field>(
	displayName: string,
	name: N,
	entry: string,
	fields: F[],
	more?: Pick<Field, 'description' | 'rule'>,
) =>
	({
		displayName,
		name,
		type: 'collection',
		placeholder: `Add ${entry}`,
		default: {},
		options: sorted(fields),
		...more,
	}) as const satisfies Field;

export const additionalFields = <const F extends Field>(
	fields: F[],
	rule?: (values: OptionValues<F>) => Problem,
) => collectionField('Additional Fields', 'additionalFields', 'field', fields, { rule });

export const updateFields = <const F extends Field>(fields: F[]) =>
	collectionField('Update Fields', 'updateFields', 'field', fields, {
		rule: (values: object) => (isAnyGiven(values) ? undefined : 'must contain at least one field'),
	});

export const filters = <const F extends Field>(fields: F[]) =>
	collectionField('Filters', 'filters', 'filter', fields);

export const optionsOf = <const F extends Field>(fields: F[]) =>
	collectionField('Options', 'options', 'option', fields);

/** An entry's title in n8n's editor. Earlier versions number the entries. */
const TITLE = '={{ $collection.item.value.name || $collection.item.value.column }}';

export const entriesField = <const N extends string, const F extends Field>(
	displayName: string,
	name: N,
	entry: string,
	description: string,
	values: F[],
	rule?: Field['rule'],
) =>
	({
		displayName,
		name,
		type: 'fixedCollection',
		default: {},
		description,
		rule,
		typeOptions: { multipleValues: true, sortable: true, fixedCollection: { itemTitle: TITLE } },
		placeholder: `Add ${entry}`,
		ifAbsent: [],
		options: [{ displayName: entry, name: 'values', values }],
	}) as const satisfies Field;

/** A rule for entries, whose names must differ. @param entry the word for an entry */
export const differentNames =
	(entry: string) => (entries: Array<{ name?: string; column?: string }>) => {
		const twice = duplicateOf(entries.map(({ column, name = column }) => name));
		return twice === undefined ? undefined : `must not contain two ${entry}s named '${twice}'`;
	};
