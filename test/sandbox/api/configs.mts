import { z } from 'zod';
import {
	CRAWL_MODES,
	type CrawlConfig,
	SEARCH_MODES,
	type SearchConfig,
	TIME_RANGES,
} from '../model.mts';
import { formats } from './fields.mts';

export const DEFAULT_CRAWL: CrawlConfig = {
	mode: 'domain',
	limit: 50,
	maxDepth: 3,
	includePaths: [],
	excludePaths: [],
	useSitemap: true,
	followLinks: true,
	respectRobots: true,
	outputFormats: ['markdown'],
};

const DEFAULT_SEARCH: Omit<SearchConfig, 'query'> = {
	mode: 'discover',
	limit: 10,
	filters: { timeRange: null },
	outputFormats: ['markdown'],
};

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

const searchFields = z
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

export const newSearchConfigBody = searchFields;
export const searchConfigBody = searchFields.partial();

export function mergeCrawl(
	current: CrawlConfig,
	changes: z.infer<typeof crawlConfigBody>,
): CrawlConfig {
	return { ...current, ...changes };
}

export function newSearch({
	query,
	...changes
}: z.infer<typeof newSearchConfigBody>): SearchConfig {
	return mergeSearch({ query, ...DEFAULT_SEARCH }, changes);
}

export function mergeSearch(
	current: SearchConfig,
	{ filters, ...changes }: z.infer<typeof searchConfigBody>,
): SearchConfig {
	const timeRange =
		filters?.timeRange === undefined ? current.filters.timeRange : filters.timeRange;
	return { ...current, ...changes, filters: { timeRange } };
}
