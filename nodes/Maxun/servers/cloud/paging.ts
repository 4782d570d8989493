import type { IDataObject } from 'n8n-workflow';
import { MaxunFault } from '../../http/fault';
import { withoutEmpty, type ResponseSchema } from '../../http/request';
import type { Page, ServerConnection } from '../types';

/** The service's largest page. A smaller page is the last one. A larger page is the whole list. */
const PAGE_SIZE = 100;

export interface PageQuery {
	limit: number;
	offset: number;
}

/** Reads a page. Unreadable entries are undefined, so that the page keeps its length. */
type ReadPage<T> = (page: PageQuery) => Promise<Array<T | undefined>>;

export const pagesOf =
	<T>(
		api: ServerConnection,
		route: string,
		schema: ResponseSchema<Array<T | undefined>>,
		filter: IDataObject = {},
	): ReadPage<T> =>
	async (page) =>
		await api.get(route, schema, { ...withoutEmpty(filter), ...page });

/**
 * Reads up to `wanted` unique entries of a list sorted newest first.
 *
 * Each page begins with the previous page's last entry. If it doesn't, earlier entries have disappeared between the two
 * requests, and entries between the pages may be missing. New entries only move others to a later page, where they
 * appear again.
 *
 * @param wanted how many entries; Infinity for all
 * @param parallel how many requests the connection sends at the same time; others wait
 * @throws MaxunFault if the list changes too often
 */
export async function readPages<T extends { id: string }>(
	wanted: number,
	parallel: number,
	read: ReadPage<T>,
): Promise<T[]> {
	const limit = Math.min(wanted, PAGE_SIZE);
	const step = Math.max(1, limit - 1);
	const found = new Map<string, T>();
	let first: T | undefined;
	let offset = 0;
	let atOnce = 1; // The first page is often the last one.
	let requested: Array<ReturnType<ReadPage<T>>> = [];
	// How often entries have disappeared between two requests.
	for (let gaps = 0; gaps <= 15; ) {
		const missing = Math.ceil((wanted - found.size) / step);
		while (requested.length < Math.min(atOnce, missing)) {
			const reading = read({ limit, offset: offset + requested.length * step });
			reading.catch(() => undefined); // Nothing awaits pages beyond the end.
			requested.push(reading);
		}
		const page = (await requested.shift()) ?? [];
		// Pages with a single entry don't overlap.
		const isOverlapping = offset > 0 && limit > 1;
		if (isOverlapping && !page.some((entry, index) => isCommon(entry, index, found))) {
			gaps++;
			atOnce = 1;
			requested = [];
			offset = Math.max(0, offset - step);
			continue;
		}
		const entries = readable(page);
		for (const entry of entries) found.set(entry.id, entry);
		// A service without offsets returns the same page again.
		const isRepeated = offset > 0 && entries[0]?.id === first?.id;
		if (page.length !== limit || isRepeated || found.size >= wanted) {
			return [...found.values()].slice(0, wanted);
		}
		// The service may also return the first page again with new entries before it. Reading would never end.
		if (offset > 0 && entries.some(({ id }) => id === first?.id)) gaps++;
		first ??= entries[0];
		offset += step;
		// In a long list, reads several pages ahead, so that a slow page doesn't delay the next ones.
		atOnce = atOnce === 1 ? parallel : Math.min(atOnce + 2, 2 * parallel);
	}
	throw new MaxunFault(
		'The list kept changing while the node was reading it',
		'Try again later, or narrow the list with a limit or filters',
		{ temporary: true },
	);
}

export const pagesLength = (pages: number): number => 1 + pages * (PAGE_SIZE - 1);

/** Whether an entry was on the previous page, too. If its first entry isn't readable, it probably was. */
const isCommon = <T extends { id: string }>(
	entry: T | undefined,
	index: number,
	found: Map<string, T>,
) => (entry ? found.has(entry.id) : index === 0);

const readable = <T>(page: Array<T | undefined>): T[] =>
	page.filter((entry) => entry !== undefined);

/** One page for the editor. After a full page, there may be another one. */
export async function readPage<T>(offset: number, read: ReadPage<T>): Promise<Page<T>> {
	const page = await read({ limit: PAGE_SIZE, offset });
	const nextOffset = page.length < PAGE_SIZE ? undefined : offset + PAGE_SIZE;
	return { entries: readable(page), nextOffset };
}
