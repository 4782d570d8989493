import { jsonParse, tryToParseDateTime, type IBinaryData } from 'n8n-workflow';
import { z } from 'zod';
import { wordsOf } from '../http/text';
import { isLeftOut, isObject } from '../http/values';

// Values come from the form, from language models and from expressions, which often return numbers and booleans as
// text.

/** Removes blanks and invisible characters at both ends. With them, a URL leads to another page. */
export const bare = (text: string) => text.trim().replace(BLANKS, '').trim();
const BLANKS = /^[\s\u200b-\u200f\u2060]+|(?<![\u200b-\u200f\u2060])[\u200b-\u200f\u2060]+$/g;

const trimmed = (value: unknown) => (typeof value === 'string' ? bare(value) : value);

/** The message for an issue; undefined to keep zod's own message. `code` is zod's. */
type MessageFor = (value: unknown, code?: string) => string | undefined;

/** A schema's messages. zod 3 reads `errorMap`, zod 4 reads `error`. */
const messages = (messageFor: MessageFor) => ({
	errorMap: ({ code }: { code: string }, context: { data: unknown; defaultError: string }) => ({
		message: messageFor(context.data, code) ?? context.defaultError,
	}),
	error: ({ code, input }: { code?: string; input?: unknown }) => messageFor(input, code),
});

/** What is wrong with a value: a message, or the messages about inner values with their paths. */
export type Problem = string | undefined | Array<[path: Array<string | number>, message: string]>;

export type Schema<T> = z.ZodType<T, z.ZodTypeDef, unknown>;

export const withRule = <T>(schema: Schema<T>, rule: (value: T) => Problem): Schema<T> =>
	schema.superRefine((value, context) => {
		const found = rule(value) ?? [];
		const problems: Exclude<Problem, string> = typeof found === 'string' ? [[[], found]] : found;
		for (const [path, message] of problems ?? [])
			context.addIssue({ code: 'custom', path, message });
	});

/** A schema's messages for missing values and for values of another type. */
export const mustBe = (message: string) =>
	messages((value) => (value === undefined ? 'is required' : message));

/** If a collection is missing, its fields have their defaults. zod 4 doesn't parse defaults. */
export const collection = <S extends z.ZodTypeAny>(fields: S) =>
	z.preprocess((value) => (value === undefined ? {} : value), fields);

/** Any value with a readable text form. Objects would become `[object Object]`. */
const textLike = z
	.union(
		[z.string(), z.number(), z.boolean(), z.date()],
		messages(() => 'must be text'),
	)
	.transform((value) => (value instanceof Date ? value.toISOString() : String(value)));

const anyText = textLike.refine((value) => value.trim() !== '', 'is required');

export const text = () => z.preprocess((value) => trimmed(value ?? ''), anyText);

export const dataName = () => z.preprocess((value) => value ?? '', anyText);

export const optionalText = () =>
	z.preprocess((value) => trimmed(value) || undefined, textLike.optional());

export const isWebAddress = (value: string) =>
	/^https?:\/\/[^\s/]+/i.test(value) && URL.canParse(value);

export const mustBeWebAddress = (value: string) =>
	isWebAddress(value) ? undefined : 'must be a valid URL that starts with http:// or https://';

const numeric = (value: unknown) =>
	typeof value === 'string' && value.trim() !== '' ? Number(value) : value;

export const count = (minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER) =>
	z.preprocess(
		numeric,
		z
			.number(mustBe('must be a number'))
			.int('must be a whole number')
			.min(minimum, `must be ${minimum} or more`)
			.max(maximum, `must be ${maximum} or less`),
	);

export const seconds = () =>
	z.preprocess(numeric, z.number(mustBe('must be a number')).min(0, 'must be 0 or more'));

export const decimal = () =>
	z.preprocess(numeric, z.number(mustBe('must be a number, such as 0.5')));

export const positive = () =>
	z.coerce.number(mustBe('must be a number')).positive('must be more than 0');

export const flag = () =>
	z.preprocess(
		(value) => (value === 'true' ? true : value === 'false' ? false : value),
		z.boolean(mustBe('must be true or false')),
	);

export const oneOf = (values: string[]) =>
	z.custom<string>(
		(value) => values.some((allowed) => allowed === value),
		`must be one of ${values.filter(Boolean).join(', ')}`,
	);

/** The list in a text: a JSON list, as models often write it, or parts between separators. */
export function listed(value: unknown, separator: string | RegExp): unknown {
	if (typeof value !== 'string') return value;
	const list: unknown = jsonParse(value, { fallbackValue: '' });
	if (Array.isArray(list)) return list;
	return value.split(separator).map(bare).filter(Boolean);
}

/** The entries of a fixed collection, or of a plain list, as in JSON. */
export const entries = <E extends z.ZodTypeAny>(entry: E) =>
	z.preprocess(
		(value) => {
			if (!isObject(value)) return value ?? [];
			return Object.keys(value).length === 0 ? [] : (value.values ?? value);
		},
		z.array(entry, mustBe('must be a list')),
	);

export const duplicateOf = (names: Array<string | undefined>) =>
	names.find((name, index) => name !== undefined && names.indexOf(name) !== index);

export const manyOf = <E extends z.ZodTypeAny>(entry: E, separator = ',') =>
	z.preprocess((value) => listed(value, separator), z.array(entry, mustBe('must be a list')));

export const several = (options: string[]) => manyOf(oneOf(options));

/** Names from Maxun's data, which may begin or end with spaces. Drops empty names. */
export const dataNames = () =>
	manyOf(z.coerce.string()).transform((names) => names.filter((name) => name.trim() !== ''));

export const texts = () => dataNames().transform((values) => values.map(bare));

export const lines = () => manyOf(z.coerce.string(), '\n');

/** A date and time, as n8n's fields and expressions return it, or nothing. `toInstant` converts it. */
export const dateTime = () =>
	z.preprocess(
		(value) => (value ? bare(String(value)) : '') || undefined,
		z.string().refine(isDateTime, 'must be a date and time').optional(),
	);

const isDateTime = (value: string) => {
	try {
		return tryToParseDateTime(value).isValid;
	} catch {
		return false;
	}
};

/** The time as ISO 8601 in UTC. A value without a time zone is in `timezone`. */
export const toInstant = (value: string | undefined, timezone: string) =>
	value ? (tryToParseDateTime(value, timezone).toUTC().toISO() ?? undefined) : undefined;

const chosenIn = (value: unknown): unknown =>
	isObject(value) && 'value' in value ? value.value : value;

/**
 * The ID in a resource locator, or as text from an expression. Without an error for an expression without a result, an
 * optional locator would select everything, or another account. @param inUrl matches the ID in a pasted URL
 */
export const locator = (inUrl?: RegExp) =>
	z.preprocess(
		(value) => {
			const chosen = chosenIn(value);
			if (typeof chosen === 'string') return inUrl?.exec(chosen.trim())?.[1] ?? chosen.trim();
			return value === undefined ? undefined : (chosen ?? null);
		},
		z.union(
			[z.string().min(1, 'is required'), z.number().transform(String)],
			messages((value) =>
				value === null ? 'is empty, because its expression did not return a value' : 'is required',
			),
		),
	);

export const optionalLocator = (inUrl?: RegExp) =>
	z.preprocess((value) => {
		const chosen = chosenIn(value);
		return typeof chosen === 'string' && isLeftOut(chosen) ? undefined : value;
	}, locator(inUrl).optional());

export const jsonObject = (reasonOf = (reason: string) => reason) =>
	z.preprocess(
		(value, context) => {
			if (typeof value !== 'string') return value;
			try {
				return JSON.parse(value);
			} catch (error) {
				const message = `is not valid JSON: ${reasonOf(wordsOf(error))}`;
				context.addIssue({ code: 'custom', message, fatal: true });
				return z.NEVER;
			}
		},
		z.record(z.string(), z.unknown(), mustBe('must be a JSON object')),
	);

/** Text. An empty value removes it. */
export const clearableText = () =>
	z.preprocess(
		(value) => trimmed(value) || (value === undefined ? undefined : null),
		textLike.nullish(),
	);

export const isAnyGiven = (values: object): boolean =>
	Object.values(values).some((value) =>
		isObject(value) ? isAnyGiven(value) : value !== undefined,
	);

export const mustNotBeEmpty = (values: unknown[]) =>
	values.length > 0 ? undefined : 'must contain at least one value';

/** The name of a binary field, or the file itself if an expression returns it. */
export const binaryField = () =>
	z.union(
		[z.custom<IBinaryData>(isFile), text()],
		messages((value, code) => {
			if (code !== 'invalid_union') return undefined;
			return value ? 'must be the name of a field that contains a file' : 'is required';
		}),
	);

const isFile = (value: unknown) => isObject(value) && 'mimeType' in value && 'data' in value;
