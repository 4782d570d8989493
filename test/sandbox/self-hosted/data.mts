import { z } from 'zod';
import { type Robot, type Run, type RunData, runDataSchema } from '../model.mts';

/** A real server's run data: one object. Text and links are only below `/sdk`. Doesn't change custom data. */
export function observedRunData(run: Run, robot: Robot | undefined): unknown {
	const { success, data } = runDataSchema.safeParse(run.data);
	if (!success) return run.data;
	return {
		...namedData(data, run, robot),
		markdown: data.markdown ?? '',
		html: data.html ?? '',
		links: [],
		summary: data.summary,
		promptResult: data.promptResult,
		// Later servers read documents. This form isn't recorded.
		...(data.documentData !== null && { documentData: data.documentData }),
	};
}

export function namedData(data: RunData, run: Run, robot: Robot | undefined) {
	const texts = Object.keys(data.textData).length > 0 ? [data.textData] : [];
	return {
		textData: named('Page info', texts),
		listData: data.lists ?? named(robot?.recipe?.list?.name ?? 'List 1', data.listData),
		crawlData: named('Crawl Results', data.crawlData),
		searchData: searchReport(data, run),
	};
}

const hit = z.object({ title: z.string(), url: z.string(), snippet: z.string() }).passthrough();
const search = z.object({ query: z.string(), mode: z.string(), results: z.array(hit) });

/** A search's results. In mode `scrape`, they are pages, with what the search found. */
function searchReport({ searchData }: RunData, run: Run): Record<string, unknown> {
	const { success, data } = search.safeParse(searchData);
	if (!success) return {};
	const { query, mode, results } = data;
	const rows = results.map(({ title, url, snippet, ...page }, index) => {
		const position = index + 1;
		if (mode !== 'scrape') return { url, title, position, description: snippet };
		const found = { query, position, searchTitle: title, searchDescription: snippet };
		return { ...page, searchResult: found };
	});
	const report = {
		query,
		...(mode === 'scrape' && { mode }),
		provider: 'duckduckgo',
		filters: {},
		resultsCount: rows.length,
		searchedAt: run.finishedAt,
		results: rows,
	};
	return { 'Search Results': report };
}

/** The documented run data: rows of strings. Doesn't change custom data. */
export function documentedData(run: Run): unknown {
	const { success, data } = runDataSchema.safeParse(run.data);
	if (!success) return run.data;
	const { textData, listData, lists: _, crawlData, searchData: __, ...others } = data;
	const { links, documentData, ...page } = others;
	const fields = { ...textData, ...page, ...(links.length > 0 && { links: links.join('\n') }) };
	return [fields, documentData, ...listData, ...crawlData, ...searchResults(data)]
		.map(asRow)
		.filter((row) => Object.keys(row).length > 0);
}

function searchResults({ searchData }: RunData): unknown[] {
	if (typeof searchData !== 'object' || searchData === null) return [];
	return 'results' in searchData && Array.isArray(searchData.results)
		? searchData.results
		: [searchData];
}

function named(name: string, rows: unknown[]): Record<string, unknown[]> {
	return rows.length > 0 ? { [name]: rows } : {};
}

function asRow(item: unknown): Record<string, string> {
	if (typeof item !== 'object' || item === null) return {};
	return Object.fromEntries(
		Object.entries(item)
			.filter(([, value]) => value !== null && value !== undefined)
			.map(([label, value]) => [label, typeof value === 'string' ? value : JSON.stringify(value)]),
	);
}
