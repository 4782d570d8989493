import type { Page } from '../types';

/** The service's largest page. A page with fewer entries is the last one. A page with more is the whole list. */
export const PAGE_SIZE = 100;

export interface PageQuery {
	limit: number;
	offset: number;
}

/** How many pairs of pages to read again at most because the list has changed between their requests. */
const REPETITIONS = 20;

/**
 * Reads up to `wanted` unique entries of a list sorted newest first.
 *
 * Each page begins with the last entry of the previous one. Without a common entry, the list has changed between the two
 * requests, and entries between them may be missing. New entries only move others to a later page, where they appear
 * again.
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
	const step = Math.max(1, limit - 1);
	const pages: T[][] = [];
	const ids = new Set<string>();
	let received = 0;
	let last = Infinity;
	const take = async (index: number) => {
		const page = await read({ limit, offset: index * step });
		// A service without offsets returns the same list each time.
		const isRepeat = index > 0 && page[0]?.id === pages[0][0]?.id;
		if (isRepeat || page.length !== limit) last = Math.min(last, index + 1);
		received += page.length - (pages[index]?.length ?? 0);
		page.forEach(({ id }) => ids.add(id));
		pages[index] = page;
	};
	/** How many pages are needed. Other duplicates than the common entries don't count. */
	const end = () => {
		const common = Object.keys(pages).length - 1;
		const duplicates = Math.max(0, received - common - ids.size);
		return Math.min(last, Math.ceil((wanted - 1 + duplicates) / step));
	};
	await take(0);
	let next = 1;
	const worker = async () => {
		while (next < end()) await take(next++);
	};
	await Promise.all(Array.from({ length: parallel }, worker));
	for (let times = 0; times < REPETITIONS; times++) {
		const gap = findGap(pages.slice(0, last));
		if (gap < 0) break;
		await take(gap);
		await take(gap + 1);
	}
	const unique = new Map(pages.flat().map((entry) => [entry.id, entry]));
	return [...unique.values()].slice(0, wanted);
}

/** The first page that has no entry in common with the next one; -1 if there is none. */
const findGap = <T extends { id: string }>(pages: T[][]): number =>
	pages.slice(0, -1).findIndex((page, index) => {
		const ids = new Set(page.map(({ id }) => id));
		return !pages[index + 1].some(({ id }) => ids.has(id));
	});

/** One page for the editor. A full page may not be the last. */
export async function pageOf<T>(
	offset: number,
	read: (page: PageQuery) => Promise<T[]>,
): Promise<Page<T>> {
	const entries = await read({ limit: PAGE_SIZE, offset });
	return { entries, nextOffset: entries.length < PAGE_SIZE ? undefined : offset + PAGE_SIZE };
}
