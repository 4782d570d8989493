import type { Field, OptionValues } from './field';
import { duplicateOf, isAnyGiven, type Problem } from './parameters';

/** Optional fields in alphabetical order, as n8n requires. */
export const sorted = <F extends Field>(fields: F[]): F[] =>
	[...fields].sort((a, b) => a.displayName.localeCompare(b.displayName));

type Rule<F extends Field> = (values: OptionValues<F>) => Problem;

export const additionalFields = <const F extends Field>(options: F[], rule?: Rule<F>) =>
	({
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add field',
		default: {},
		options: sorted(options),
		rule,
	}) as const satisfies Field;

export const updateFields = <const F extends Field>(options: F[]) =>
	({
		...additionalFields(options),
		displayName: 'Update Fields',
		name: 'updateFields',
		rule: atLeastOneField,
	}) as const satisfies Field;

const atLeastOneField = (values: object) =>
	isAnyGiven(values) ? undefined : 'must contain at least one field';

export const filters = <const F extends Field>(options: F[]) =>
	({
		...additionalFields(options),
		displayName: 'Filters',
		name: 'filters',
		placeholder: 'Add filter',
	}) as const satisfies Field;

export const optionsOf = <const F extends Field>(options: F[]) =>
	({
		...additionalFields(options),
		displayName: 'Options',
		name: 'options',
		placeholder: 'Add option',
	}) as const satisfies Field;

export const entriesField = <const N extends string, const F extends Field>(
	displayName: string,
	name: N,
	entry: string,
	description: string,
	values: F[],
) =>
	({
		displayName,
		name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: `Add ${entry}`,
		default: {},
		ifAbsent: [],
		description,
		options: [{ displayName: entry, name: 'values', values }],
	}) as const satisfies Field;

/** A rule for entries, whose names must differ. @param entry the word for an entry */
export const differentNames =
	(entry: string) => (entries: Array<{ name?: string; column?: string }>) => {
		const twice = duplicateOf(entries.map(({ column, name = column }) => name));
		return twice === undefined ? undefined : `must not contain two ${entry}s named '${twice}'`;
	};
