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
 * Only the last page shows where the list ends. Pages behind it have been requested by then. Nothing waits for them.
 *
 * @param wanted how many entries; Infinity for all
 * @param parallel how many pages to request in parallel after a full first page
 * @param read requests a page. Its signal aborts when the page is no longer needed.
 */
export async function readPages<T extends { id: string }>(
	wanted: number,
	parallel: number,
	read: (page: PageQuery, signal: AbortSignal) => Promise<T[]>,
): Promise<T[]> {
	const limit = Math.min(wanted, PAGE_SIZE);
	const done = new AbortController();
	const pages: Array<Promise<T[]>> = [];
	const unique = new Map<string, T>();
	let received = 0;
	let active = 0;
	let last = Infinity;
	/** How many pages are needed. Duplicate entries don't count. */
	const end = () => Math.min(last, Math.ceil((wanted + received - unique.size) / limit));
	const isLast = (page: T[]) => {
		const [firstId] = unique.keys();
		// A service without offsets returns the same list each time.
		return page.length !== limit || page[0].id === firstId;
	};
	const request = () => {
		const page = read({ limit, offset: pages.length * limit }, done.signal);
		const count = pages.push(page);
		active++;
		const onSettled = (endsHere: boolean) => {
			active--;
			if (endsHere) last = Math.min(last, count);
			requestMore();
		};
		// No further page is needed after a failure. A failure behind the last page doesn't matter.
		page.then(
			(entries) => onSettled(isLast(entries)),
			() => onSettled(true),
		);
	};
	const requestMore = () => {
		while (active < parallel && pages.length < end()) request();
	};
	request();
	try {
		for (let index = 0; index < end(); index++) {
			const page = await pages[index];
			received += page.length;
			for (const entry of page) unique.set(entry.id, entry);
			requestMore();
		}
	} finally {
		done.abort();
	}
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
