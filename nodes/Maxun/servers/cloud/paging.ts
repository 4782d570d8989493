import type { Page } from '../types';

/** The service's largest page. A page with fewer entries is the last one. A page with more is the whole list. */
export const PAGE_SIZE = 100;

export interface PageQuery {
	limit: number;
	offset: number;
}

/**
 * Reads up to `wanted` unique entries of a list sorted newest first.
 *
 * New entries move others to a later page, where they appear again. Their IDs identify them.
 *
 * @param wanted how many entries; Infinity for all
 * @param parallel how many pages to request in parallel after a full first page
 */
export async function readPages<T extends { id: string }>(
	wanted: number,
	parallel: number,
	read: (page: PageQuery) => Promise<T[]>,
): Promise<T[]> {
	const limit = Math.min(wanted, PAGE_SIZE);
	const pages: T[][] = [];
	const ids = new Set<string>();
	let received = 0;
	let last = Infinity;
	const take = async (index: number) => {
		const page = await read({ limit, offset: index * limit });
		// A service without offsets returns the same list each time.
		const isRepeat = index > 0 && page[0]?.id === pages[0][0]?.id;
		if (isRepeat || page.length !== limit) last = Math.min(last, index + 1);
		pages[index] = page;
		received += page.length;
		page.forEach(({ id }) => ids.add(id));
	};
	/** How many pages are needed. Duplicate entries don't count. */
	const end = () => Math.min(last, Math.ceil((wanted + received - ids.size) / limit));
	await take(0);
	let next = 1;
	const worker = async () => {
		while (next < end()) await take(next++);
	};
	await Promise.all(Array.from({ length: parallel }, worker));
	const unique = new Map(pages.flat().map((entry) => [entry.id, entry]));
	return [...unique.values()].slice(0, wanted);
}

/** One page for the editor. A full page may not be the last. */
export async function pageOf<T>(
	offset: number,
	read: (page: PageQuery) => Promise<T[]>,
): Promise<Page<T>> {
	const entries = await read({ limit: PAGE_SIZE, offset });
	return { entries, nextOffset: entries.length < PAGE_SIZE ? undefined : offset + PAGE_SIZE };
}
