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
	const pages = [await read({ limit, offset: 0 })];
	let end = pages[0].length !== limit ? 1 : Math.ceil(wanted / limit);
	let next = 1;
	const worker = async () => {
		while (next < end) {
			const index = next++;
			pages[index] = await read({ limit, offset: index * limit });
			if (pages[index].length !== limit) end = Math.min(end, index + 1);
		}
	};
	await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
	const unique = new Map(pages.flat().map((entry) => [entry.id, entry]));
	return [...unique.values()].slice(0, wanted);
}
