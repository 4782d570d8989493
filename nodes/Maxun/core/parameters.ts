import { tryToParseDateTime } from 'n8n-workflow';
import type { IBinaryData } from 'n8n-workflow';
import { z } from 'zod';

// Values come from the form, from expressions (where numbers and booleans are often text) and from AI models.

const filled = (value: unknown) => (typeof value === 'string' ? value.trim() : value);

/** What can stand for a text; an object cannot, it would read `[object Object]`. */
const plain = z
	.union([z.string(), z.number(), z.boolean(), z.date()], {
		errorMap: () => ({ message: 'must be a text' }),
	})
	.transform((value) => (value instanceof Date ? value.toISOString() : String(value)));

/** A text that must not be empty. */
export const text = () =>
	z.preprocess(
		(value) => filled(value ?? ''),
		plain.refine((value) => value !== '', 'is required'),
	);

/** A text that may be missing or empty. */
export const optionalText = () =>
	z.preprocess((value) => filled(value) || undefined, plain.optional());

/** A web address. */
export const webAddress = () =>
	text().refine((value) => /^https?:\/\/[^\s/]+/i.test(String(value)), {
		message: 'must be a web address that begins with http:// or https://',
	});

/** A web address, or none. */
export const optionalWebAddress = () =>
	z.preprocess((value) => filled(value) || undefined, webAddress().optional());

/** A whole number within limits. */
export const count = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
	z.preprocess(
		(value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
		z
			.number({ invalid_type_error: 'must be a number', required_error: 'is required' })
			.int('must be a whole number')
			.min(minimum, `must be ${minimum} or more`)
			.max(maximum, `must be ${maximum} or less`),
	);

/** A length of time in seconds, which may be a fraction. */
export const seconds = () =>
	z.preprocess(
		(value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
		z.number({ invalid_type_error: 'must be a number' }).min(0, 'must be 0 or more'),
	);

/** A switch. */
export const flag = () =>
	z.preprocess(
		(value) => (value === 'true' ? true : value === 'false' ? false : value),
		z.boolean({ invalid_type_error: 'must be true or false', required_error: 'is required' }),
	);

/** Several values of a fixed set, as a list or as text with commas. */
export const several = <const T extends readonly [string, ...string[]]>(values: T) =>
	z.preprocess(
		(value) =>
			typeof value === 'string'
				? value
						.split(',')
						.map((part) => part.trim())
						.filter(Boolean)
				: value,
		z.array(
			z.enum(values, { errorMap: () => ({ message: `must be one of ${values.join(', ')}` }) }),
			{ invalid_type_error: 'must be a list', required_error: 'is required' },
		),
	);

/** Several texts, as a list or one with commas; empty ones do not count. */
export const texts = () =>
	z.preprocess(
		(value) => (typeof value === 'string' ? value.split(',') : value),
		z
			.array(z.coerce.string(), { invalid_type_error: 'must be a list' })
			.transform((values) => values.map((value) => value.trim()).filter(Boolean)),
	);

/** One value of a fixed set. */
export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
	z.enum(values, {
		errorMap: () => ({ message: `must be one of ${values.filter(Boolean).join(', ')}` }),
	});

/** Whether the name is one of the IANA's time zones. */
export function isTimezone(timeZone: string): boolean {
	try {
		new Intl.DateTimeFormat('en', { timeZone });
		return true;
	} catch {
		return false;
	}
}

/** A date and time, as n8n's fields and expressions give it; `toInstant` reads it. */
export const dateTime = () =>
	z.preprocess(
		(value) => String(value).trim(),
		z.string().refine(isDateTime, 'must be a date and time'),
	);

const isDateTime = (value: string) => {
	try {
		return tryToParseDateTime(value).isValid;
	} catch {
		return false;
	}
};

/** The point in time as ISO 8601 in UTC; where the value names no zone, the workflow's is meant. */
export const toInstant = (value: string | undefined, timezone: string) =>
	value && tryToParseDateTime(value, timezone).toUTC().toISO();

/**
 * The id that a resource locator holds, or a plain text from an expression.
 *
 * @param inUrl finds the id where an address was pasted, whatever the mode
 */
export const locator = (inUrl?: RegExp) =>
	z.preprocess(
		(value) => {
			const chosen =
				typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
			const given = typeof chosen === 'string' ? chosen.trim() : chosen;
			return typeof given === 'string' ? (inUrl?.exec(given)?.[1] ?? given) : given;
		},
		z.union([z.string().min(1, 'is required'), z.number().transform(String)], {
			errorMap: () => ({ message: 'is required' }),
		}),
	);

/** A locator that may be left empty. */
export const optionalLocator = () =>
	z.preprocess((value) => {
		const chosen =
			typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
		return chosen === '' || chosen === null ? undefined : value;
	}, locator().optional());

/** An object, given as such or as JSON text. */
export const jsonObject = () =>
	z.preprocess(
		(value, context) => {
			if (typeof value !== 'string') return value;
			try {
				return JSON.parse(value);
			} catch (error) {
				const reason = error instanceof Error ? error.message : String(error);
				context.addIssue({ code: 'custom', message: `is no valid JSON: ${reason}`, fatal: true });
				return z.NEVER;
			}
		},
		z.record(z.unknown(), { invalid_type_error: 'must be a JSON object' }),
	);

/** A text that is removed where it is set to nothing. */
export const clearableText = () =>
	z.preprocess(
		(value) => filled(value) || (value === undefined ? undefined : null),
		plain.nullish(),
	);

/** Fields to change, of which one at least must be set. */
export const atLeastOne = <S extends z.ZodRawShape>(fields: S) =>
	z.object(fields).refine((values) => Object.values(values).some(isSet), {
		message: 'needs at least one field to change',
	});

/** Whether a field was set; a collection of fields that are not is none itself. */
const isSet = (value: unknown): boolean =>
	typeof value === 'object' && value !== null && !Array.isArray(value)
		? Object.values(value).some(isSet)
		: value !== undefined;

/** A list that must hold something. */
export const notEmpty = <T extends z.ZodType<unknown[], z.ZodTypeDef, unknown>>(list: T) =>
	list.refine((values) => values.length > 0, 'needs at least one');

/** The name of a binary field, or the file itself as an expression gives it. */
export const binaryField = () =>
	z.union([z.custom<IBinaryData>(isFile), text()], {
		errorMap: (issue, { defaultError }) => ({
			message:
				issue.code === 'invalid_union' ? 'must be the name of a field with a file' : defaultError,
		}),
	});

const isFile = (value: unknown) =>
	typeof value === 'object' && value !== null && 'mimeType' in value && 'data' in value;
