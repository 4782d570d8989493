/** The service's largest page. One that holds fewer entries is the last; one that holds more is the whole list. */
export const PAGE_SIZE = 100;

/** How many pages are asked for side by side, once the first one has shown that there are more. */
const SIDE_BY_SIDE = 4;

export interface Page {
	limit: number;
	offset: number;
}

/**
 * Reads up to `wanted` entries of a list that is sorted newest first, each once.
 *
 * Entries that are added meanwhile push others onto a later page, where they are met again: the id tells.
 *
 * @param wanted how many entries; Infinity for all
 */
export async function readPages<T extends { id: string }>(
	wanted: number,
	read: (page: Page) => Promise<T[]>,
): Promise<T[]> {
	const limit = Math.min(wanted, PAGE_SIZE);
	const pages: T[][] = [];
	const ids = new Set<string>();
	let received = 0;
	let last = Infinity;
	const take = async (index: number) => {
		const page = await read({ limit, offset: index * limit });
		// A service that does not know offsets gives the same list again and again.
		const isRepeat = index > 0 && page[0]?.id === pages[0][0]?.id;
		if (isRepeat || page.length !== limit) last = Math.min(last, index + 1);
		pages[index] = page;
		received += page.length;
		page.forEach(({ id }) => ids.add(id));
	};
	/** How many pages are needed: what is met twice does not count. */
	const end = () => Math.min(last, Math.ceil((wanted + received - ids.size) / limit));
	await take(0);
	let next = 1;
	const worker = async () => {
		while (next < end()) await take(next++);
	};
	await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
	const unique = new Map(pages.flat().map((entry) => [entry.id, entry]));
	return [...unique.values()].slice(0, wanted);
}
