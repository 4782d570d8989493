import type { IDataObject } from 'n8n-workflow';
import { MaxunFault } from '../../http/fault';
import { withoutEmpty, type ResponseSchema } from '../../http/request';
import type { Page, ServerConnection } from '../types';

/** A smaller page is the last page. A larger page is the whole list. */
const PAGE_SIZE = 100;

export interface PageQuery {
	limit: number;
	offset: number;
}

/** Unreadable entries are undefined, so that the page keeps its length. */
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
 * Reads unique entries, newest first. Pages overlap by one entry, which shows whether entries have disappeared. New entries
 * only move others to a later page.
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
	let atOnce = 1; // The first page is often also the last page.
	let requested: Array<ReturnType<ReadPage<T>>> = [];
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
		// With new entries before the first page, reading would never end.
		if (offset > 0 && entries.some(({ id }) => id === first?.id)) gaps++;
		first ??= entries[0];
		offset += step;
		// In a long list, reads several pages ahead, so that a slow page doesn't delay the next pages.
		atOnce = atOnce === 1 ? parallel : Math.min(atOnce + 2, 2 * parallel);
	}
	throw new MaxunFault(
		'The list kept changing while the node was reading it',
		'Try again later, or narrow the list with a limit or filters',
		{ temporary: true },
	);
}

export const pagesLength = (pages: number): number => 1 + pages * (PAGE_SIZE - 1);

/** An unreadable first entry was probably on the previous page. */
const isCommon = <T extends { id: string }>(
	entry: T | undefined,
	index: number,
	found: Map<string, T>,
) => (entry ? found.has(entry.id) : index === 0);

const readable = <T>(page: Array<T | undefined>): T[] =>
	page.filter((entry) => entry !== undefined);

export async function readPage<T>(offset: number, read: ReadPage<T>): Promise<Page<T>> {
	const page = await read({ limit: PAGE_SIZE, offset });
	const nextOffset = page.length < PAGE_SIZE ? undefined : offset + PAGE_SIZE;
	return { entries: readable(page), nextOffset };
}
