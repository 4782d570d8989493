import { z } from 'zod';
import { FORMATS, monitoringSchema, RUN_SOURCES, RUN_STATUSES } from '../model.mts';

const wholeNumber = (least: number, most: number) =>
	z
		.string()
		.regex(/^\d+$/, 'must be a whole number')
		.transform(Number)
		.pipe(z.number().min(least).max(most));

const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

const moment = z
	.string()
	.datetime({ offset: true, local: true, message: 'must be an ISO 8601 timestamp' })
	.or(z.string().date('must be an ISO 8601 timestamp'))
	.transform((value) => Date.parse(value));

export const paging = {
	limit: wholeNumber(1, 100).default('25'),
	offset: wholeNumber(0, Number.MAX_SAFE_INTEGER).default('0'),
};

export const robotFilters = { q: z.string().optional(), scheduled: flag.optional() };

export const runFilters = {
	status: z
		.string()
		.transform((value) => value.split(','))
		.pipe(z.array(z.enum(RUN_STATUSES)))
		.optional(),
	source: z.enum(RUN_SOURCES).optional(),
	hasChanges: flag.optional(),
	since: moment.optional(),
	until: moment.optional(),
};

export const pageUrl = z
	.string()
	.refine(isHttpUrl, 'must be an http or https URL, e.g. https://example.com');

export const name = z.string().trim().min(1, 'must not be empty').max(255);

export const formats = z
	.array(z.enum(FORMATS))
	.min(1, 'must name at least one format')
	.refine((list) => new Set(list).size === list.length, 'must not repeat a format');

export const monitoringFields = {
	...monitoringSchema.partial().shape,
	alertEmail: z.string().email('must be an e-mail address').nullish(),
};

export function isHttpUrl(value: string): boolean {
	return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

export function page<T>(items: T[], { limit, offset }: { limit: number; offset: number }): T[] {
	return items.slice(offset, offset + limit);
}

/** Newest first, even within one millisecond. */
export function newestFirst<T extends { createdAt: string }>(items: T[]): T[] {
	return [...items].reverse().sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
}
