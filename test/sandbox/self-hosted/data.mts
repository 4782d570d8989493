import { type Robot, type Run, type RunData, runDataSchema } from '../model.mts';

/** The run data of a real server: one object. Does not change custom data. */
export function observedData(run: Run, robot: Robot | undefined): unknown {
	const { success, data } = runDataSchema.safeParse(run.data);
	if (!success) return run.data;
	const texts = Object.keys(data.textData).length > 0 ? [data.textData] : [];
	return {
		textData: named('Page info', texts),
		listData: named(robot?.recipe?.list?.name ?? 'List 1', data.listData),
		crawlData: named('Crawl Results', data.crawlData),
		searchData: named('Search Results', searchResults(data)),
		markdown: data.markdown ?? '',
		html: data.html ?? '',
		links: data.links,
		summary: data.summary,
		promptResult: data.promptResult,
	};
}

/** The documented run data: rows of strings. Does not change custom data. */
export function documentedData(run: Run): unknown {
	const { success, data } = runDataSchema.safeParse(run.data);
	if (!success) return run.data;
	const { textData, listData, crawlData, searchData: _, links, documentData, ...page } = data;
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
