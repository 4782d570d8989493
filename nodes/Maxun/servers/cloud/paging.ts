import { MaxunFault } from '../../http/fault';
import type { Page } from '../types';

/** The service's largest page. A page with fewer entries is the last one. A page with more is the whole list. */
export const PAGE_SIZE = 100;

export interface PageQuery {
	limit: number;
	offset: number;
}

/** How many pairs of pages to read again at most because the list has changed between their requests. */
const REPETITIONS = 100;

/**
 * Reads up to `wanted` unique entries of a list sorted newest first.
 *
 * Each page begins with the last entry of the previous one. Without a common entry, the list has changed between the two
 * requests, and entries between them may be missing. New entries only move others to a later page, where they appear
 * again.
 *
 * @param wanted how many entries; Infinity for all
 * @param parallel how many pages to request in parallel after a full first page
 * @throws MaxunFault if the list changes too often
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
	let next = 0;
	const take = async (index: number) => {
		const page = await read({ limit, offset: index * step });
		received += page.length - (pages[index]?.length ?? 0);
		page.forEach(({ id }) => ids.add(id));
		pages[index] = page;
	};
	// A service without offsets returns the same list each time.
	const isLast = (page: T[] | undefined, index: number) =>
		page && (page.length !== limit || (index > 0 && page[0]?.id === pages[0][0]?.id));
	/** How many pages are needed. Other duplicates than the common entries don't count. */
	const end = () => {
		const common = Object.keys(pages).length - 1;
		const duplicates = Math.max(0, received - common - ids.size);
		const needed = Math.max(1, Math.ceil((wanted - 1 + duplicates) / step));
		const last = pages.findIndex(isLast);
		return last < 0 ? needed : Math.min(last + 1, needed);
	};
	const worker = async () => {
		while (next < end()) await take(next++);
	};
	await take(next++);
	for (let times = 0; times <= REPETITIONS; times++) {
		await Promise.all(Array.from({ length: parallel }, worker));
		const gap = findGap(pages.slice(0, end()));
		if (gap < 0) return uniqueOf(pages).slice(0, wanted);
		await take(gap);
		await take(gap + 1);
	}
	throw new MaxunFault(
		'The list changed too often while it was read',
		'Try again later, or narrow the list with a limit or filters',
		{ transient: true },
	);
}

const uniqueOf = <T extends { id: string }>(pages: T[][]): T[] => [
	...new Map(pages.flat().map((entry) => [entry.id, entry])).values(),
];

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
