import type { Page } from '../types';

/** The service's largest page. A page with fewer entries is the last; one with more is the whole list. */
export const PAGE_SIZE = 100;

/** How many pages are requested in parallel, after the first one was full. */
const PARALLEL_PAGES = 4;

export interface PageQuery {
	limit: number;
	offset: number;
}

/**
 * Reads up to `wanted` entries of a list that is sorted newest first, each once.
 *
 * Entries that are added meanwhile move others to a later page, where they appear again. Their ID tells.
 *
 * @param wanted how many entries; Infinity for all
 */
export async function readPages<T extends { id: string }>(
	wanted: number,
	read: (page: PageQuery) => Promise<T[]>,
): Promise<T[]> {
	const limit = Math.min(wanted, PAGE_SIZE);
	const pages: T[][] = [];
	const ids = new Set<string>();
	let received = 0;
	let last = Infinity;
	const take = async (index: number) => {
		const page = await read({ limit, offset: index * limit });
		// A service without offsets returns the same list again and again.
		const isRepeat = index > 0 && page[0]?.id === pages[0][0]?.id;
		if (isRepeat || page.length !== limit) last = Math.min(last, index + 1);
		pages[index] = page;
		received += page.length;
		page.forEach(({ id }) => ids.add(id));
	};
	/** How many pages are needed; entries that appear twice don't count. */
	const end = () => Math.min(last, Math.ceil((wanted + received - ids.size) / limit));
	await take(0);
	let next = 1;
	const worker = async () => {
		while (next < end()) await take(next++);
	};
	await Promise.all(Array.from({ length: PARALLEL_PAGES }, worker));
	const unique = new Map(pages.flat().map((entry) => [entry.id, entry]));
	return [...unique.values()].slice(0, wanted);
}

/** One page for the editor; a full one may be followed by another. */
export async function pageOf<T>(
	offset: number,
	read: (page: PageQuery) => Promise<T[]>,
): Promise<Page<T>> {
	const entries = await read({ limit: PAGE_SIZE, offset });
	return { entries, nextOffset: entries.length < PAGE_SIZE ? undefined : offset + PAGE_SIZE };
}
