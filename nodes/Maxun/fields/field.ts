import type {
	IDisplayOptions,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyMode,
	INodePropertyOptions,
} from 'n8n-workflow';
import { z } from 'zod';
import { isLeftOut, isObject } from '../http/values';
import * as read from './parameters';

/**
 * A form's field. n8n's description also says what the node accepts: the type, the limits and the options. n8n never
 * gets the three keys below.
 */
export interface Field extends INodeProperties {
	options?: Array<INodePropertyOptions | Field | FieldCollection>;
	/** Reads a value that n8n's description can't describe, such as a URL. */
	schema?: z.ZodTypeAny;
	/** What is wrong with a value that the type allows, such as a text that isn't a URL. Not called for an empty text. */
	rule?(value: unknown): read.Problem;
	/**
	 * The value if the option isn't added, or if the field is hidden. `default` is only the value that the editor shows
	 * when the user adds an option. In a list's entries, `default` also applies to fields that JSON leaves out.
	 */
	ifAbsent?: unknown;
}

/** A field of one of the usual types. `more` adds to it, or replaces its default. */
const fieldOf =
	<const T extends Field['type']>(type: T, usual: Field['default']) =>
	<const N extends string, const M extends Partial<Field> = object>(
		displayName: string,
		name: N,
		description: string,
		more?: M,
	) =>
		Object.assign({ displayName, name, type, default: usual, description }, more);

export const textField = fieldOf('string', '');
export const numberField = fieldOf('number', 1);
export const flagField = fieldOf('boolean', true);
export const dateField = fieldOf('dateTime', '');
export const choiceField = fieldOf('options', '');
export const choicesField = fieldOf('multiOptions', []);

/** An option that is off unless the user adds it. */
export const switchField = <const N extends string>(
	displayName: string,
	name: N,
	description: string,
) => flagField(displayName, name, description, { ifAbsent: false });

export const choice = <const V extends string>(name: string, value: V, description: string) => ({
	name,
	value,
	description,
});

/** Choices without descriptions: values by their names. */
export const named = <const V extends string>(values: Record<string, V>) =>
	Object.entries(values).map(([name, value]) => ({ name, value }));

interface FieldCollection extends INodePropertyCollection {
	values: Field[];
}

/** Makes editors show a type's keys instead of its alias. */
type Plain<T> = { [K in keyof T]: T[K] } & {};

export type Values<F extends Field> = Plain<{
	[E in Exclude<F, { type: 'notice' }> as E['name']]:
		| ValueOf<E>
		| (E extends { displayOptions: object } ? IfAbsent<E> : never);
}>;

export type OptionValues<F extends Field> = Plain<{
	[E in F as E['name']]: ValueOf<E> | IfAbsent<E>;
}>;

/** The values of a fixed collection's entry. Hidden fields are `undefined`. */
export type EntryValues<F extends Field> = Plain<{
	[E in F as E['name']]: ValueOf<E> | (E extends { displayOptions: object } ? undefined : never);
}>;

type IfAbsent<F extends Field> = F extends { ifAbsent: infer V }
	? Exclude<V, readonly never[]>
	: undefined;

type ValueOf<F extends Field> = F extends { schema: infer C extends z.ZodTypeAny }
	? z.output<C>
	: F extends { type: infer T extends keyof ByType<F> }
		? ByType<F>[T]
		: never;

/** The values that a field without a schema accepts. */
interface ByType<F extends Field> {
	boolean: boolean;
	collection: F extends { options: Array<infer O extends Field> } ? OptionValues<O> : never;
	dateTime: string | undefined;
	fixedCollection: F extends { options: Array<{ values: Array<infer V extends Field> }> }
		? Array<EntryValues<V>>
		: never;
	multiOptions: Array<Choice<F>>;
	number: number;
	options: Choice<F>;
	resourceLocator: F extends { required: true } ? string : string | undefined;
	string: F extends { typeOptions: { multipleValues: true } }
		? string[]
		: F extends { required: true }
			? string
			: string | undefined;
}

/** One of the options. Options that the editor loads can be any text. */
type Choice<F extends Field> = F extends { options: Array<{ value: infer V }> } ? V : string;

export const schemaOf = <F extends Field>(fields: F[]): read.Schema<Values<F>> =>
	objectOf(fields, (field) => (field.displayOptions ? ifAbsent(field) : orDefault(field))).pipe(
		z.custom<Values<F>>(), // The same type as `Values`: literals and schemas are two views of one form.
	);

/** Reads the entries of a fixed collection, or of a list in JSON. */
export const entriesSchema = <F extends Field>(values: F[]): read.Schema<Array<EntryValues<F>>> =>
	read
		.entries(
			z.preprocess(
				(given) => (isObject(given) ? shownIn(values, given) : given),
				objectOf(values, (field) =>
					field.displayOptions ? given(field).optional() : given(field),
				),
			),
		)
		.pipe(z.custom<Array<EntryValues<F>>>());

/**
 * An entry's values without hidden fields. JSON may leave out what the form fills in. It may even leave out the field
 * that shows another field, such as `returnValue` next to `attribute`.
 */
function shownIn(fields: Field[], given: Record<string, unknown>): Record<string, unknown> {
	const all = Object.fromEntries(
		fields.map(({ name, ifAbsent, default: usual }) => [name, given[name] ?? ifAbsent ?? usual]),
	);
	const isShown = ({ name, displayOptions: { show = {} } = {} }: Field) =>
		Object.entries(show).every(
			([other, values = []]) =>
				values.some((value) => value === all[other]) ||
				(given[other] === undefined && given[name] !== undefined),
		);
	return Object.fromEntries(fields.filter(isShown).map(({ name }) => [name, all[name]]));
}

function objectOf(fields: Field[], schemaFor: (field: Field) => z.ZodTypeAny) {
	const values = fields.filter(({ type }) => type !== 'notice');
	const twice = read.duplicateOf(values.map(({ name }) => name));
	if (twice !== undefined) throw new Error(`Two fields of a form have the name '${twice}'`);
	return z.object(
		Object.fromEntries(values.map((field) => [field.name, schemaFor(field)])),
		read.mustBe('must be an object'),
	);
}

const ifAbsent = (field: Field) =>
	valueOf(field)
		.optional()
		.transform((value) => (value === undefined ? field.ifAbsent : value));

/** A field that is always shown has its `default` if its value is left out. */
const orDefault = (field: Field) => valueOf(field, field.ifAbsent ?? field.default);

/** Reads the value of a field that is shown. @param absent the value if an optional value is left out in any way */
export const valueOf = (field: Field, absent?: unknown): z.ZodTypeAny => {
	const schema = given(field);
	if (field.required) return schema;
	// An empty text may clear a value, or be one of the options.
	const forEmpty: unknown = schema.safeParse('').data;
	const isEmptyAllowed = forEmpty === '' || forEmpty === null;
	return z.preprocess(
		(value) => (isLeftOut(value) && !(value === '' && isEmptyAllowed) ? absent : value),
		schema.optional(),
	);
};

const given = (field: Field): z.ZodTypeAny => {
	const schema = field.schema ?? byType(field);
	if (!field.rule) return schema;
	return read.withRule(schema, (value: unknown) =>
		value === undefined || value === '' ? undefined : field.rule?.(value),
	);
};

function byType({
	name,
	type,
	typeOptions = {},
	required,
	options = [],
	modes = [],
}: Field): z.ZodTypeAny {
	const { minValue, maxValue, multipleValues } = typeOptions;
	switch (type) {
		case 'boolean':
			return read.flag();
		case 'collection':
			return read.collection(objectOf(options.filter(isField), ifAbsent));
		case 'dateTime':
			return read.dateTime();
		case 'fixedCollection':
			return entriesSchema(options.flatMap(valuesIn));
		case 'multiOptions':
			return options.length > 0 ? read.several(options.flatMap(choiceIn)) : read.dataNames();
		case 'number':
			return read.count(minValue, maxValue);
		case 'options':
			return options.length > 0 ? read.oneOf(options.flatMap(choiceIn)) : read.text();
		case 'resourceLocator':
			return required ? read.locator(idInUrl(modes)) : read.optionalLocator(idInUrl(modes));
		case 'string':
			if (multipleValues) return read.texts();
			return required ? read.text() : read.optionalText();
		default:
			throw new Error(`The field '${name}' of the type '${type}' needs a schema`);
	}
}

type Option = NonNullable<Field['options']>[number];

export const isField = (option: Option): option is Field => 'type' in option;

export const valuesIn = (option: Option) => ('values' in option ? option.values : []);

const choiceIn = (option: Option) => ('value' in option ? String(option.value) : []);

/** Users may paste a URL into a resource locator. */
const idInUrl = (modes: INodePropertyMode[]) => {
	const { extractValue } = modes.find(({ extractValue }) => extractValue !== undefined) ?? {};
	return extractValue?.type === 'regex' ? new RegExp(extractValue.regex) : undefined;
};

/** n8n shows a field as soon as a condition depends on an expression. So a field's own conditions come first. */
export const shownIf = <const F extends Field>(
	show: NonNullable<IDisplayOptions['show']>,
	field: F,
): F & { displayOptions: IDisplayOptions } => ({
	...field,
	displayOptions: { ...field.displayOptions, show: { ...field.displayOptions?.show, ...show } },
});

export const allShownIf = <const F extends Field>(
	show: NonNullable<IDisplayOptions['show']>,
	fields: F[],
) => fields.map((field) => shownIf(show, field));

export const forN8n = (fields: Field[]): INodeProperties[] =>
	fields.map((field) => {
		const property: Field = { ...field };
		delete property.schema;
		delete property.rule;
		delete property.ifAbsent;
		return field.options ? { ...property, options: field.options.map(optionOf) } : property;
	});

function optionOf(option: Option) {
	if ('values' in option) return { ...option, values: forN8n(option.values) };
	return isField(option) ? forN8n([option])[0] : option;
}
