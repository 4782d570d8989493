import { z } from 'zod';
import { CRAWL_MODES, SEARCH_MODES, TIME_RANGES } from '../model.mts';
import { formats } from './fields.mts';

const patterns = z.array(z.string().min(1));

export const crawlConfigBody = z
	.object({
		mode: z.enum(CRAWL_MODES),
		limit: z.number().int().min(1),
		maxDepth: z.number().int().min(0),
		includePaths: patterns,
		excludePaths: patterns,
		useSitemap: z.boolean(),
		followLinks: z.boolean(),
		respectRobots: z.boolean(),
		outputFormats: formats,
	})
	.partial()
	.strict();

export const newSearchConfigBody = z
	.object({
		query: z.string().trim().min(1, 'must not be empty'),
		mode: z.enum(SEARCH_MODES).optional(),
		limit: z.number().int().min(1).optional(),
		filters: z
			.object({ timeRange: z.enum(TIME_RANGES).nullable().optional() })
			.strict()
			.optional(),
		outputFormats: formats.optional(),
	})
	.strict();

export const searchConfigBody = newSearchConfigBody.partial();
