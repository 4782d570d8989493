import { MaxunFault } from '../../http/fault';
import { readable, type Unreadable } from '../entities';
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
 * @param parallel maximum number of simultaneous requests
 * @param read reads a page
 * @throws MaxunFault if the list changes too often
 */
export async function readPages<T extends { id: string }>(
	wanted: number,
	parallel: number,
	read: (page: PageQuery) => Promise<Array<T | Unreadable>>,
): Promise<T[]> {
	const list = new PagedList(wanted, read);
	await list.take(0);
	for (let times = 0; times <= REPETITIONS; times++) {
		await list.readMissing(parallel);
		const gap = list.findGap();
		if (gap < 0) return readable(list.entries());
		await list.settled;
		await list.take(gap);
		await list.take(gap + 1);
	}
	throw new MaxunFault(
		'The list kept changing while the node was reading it',
		'Try again later, or narrow the list with a limit or filters',
		{ temporary: true },
	);
}

/** The pages that were read so far. */
class PagedList<T extends { id: string }> {
	/** Fulfills when no request is under way. Rejects if one failed. */
	settled: Promise<unknown> = Promise.resolve();
	private readonly limit: number;
	private readonly step: number;
	private readonly pages: Array<T[] | undefined> = [];
	private readonly ids = new Set<string>();
	private received = 0;
	private next = 1;

	constructor(
		private readonly wanted: number,
		private readonly read: (page: PageQuery) => Promise<T[]>,
	) {
		this.limit = Math.min(wanted, PAGE_SIZE);
		this.step = Math.max(1, this.limit - 1);
	}

	/** Reads one page, perhaps again. */
	async take(index: number): Promise<void> {
		const page = await this.read({ limit: this.limit, offset: index * this.step });
		this.received += page.length - (this.pages[index]?.length ?? 0);
		page.forEach(({ id }) => this.ids.add(id));
		this.pages[index] = page;
	}

	/** Doesn't wait for requested pages that turn out to be beyond the end. Requests no more after an error. */
	async readMissing(parallel: number): Promise<void> {
		if (this.isComplete()) return;
		await new Promise<void>((resolve, reject) => {
			const worker = async () => {
				while (this.next < this.end()) {
					await this.take(this.next++);
					if (this.isComplete()) resolve();
				}
			};
			this.settled = Promise.all(Array.from({ length: parallel }, worker));
			const stop = (error: unknown) => {
				this.next = Infinity;
				reject(error);
			};
			this.settled.then(() => resolve(), stop);
		});
	}

	/** The first page that has no entry in common with the next one; -1 if there is none. */
	findGap(): number {
		const pages = this.needed();
		return pages.slice(0, -1).findIndex((page, index) => {
			const ids = new Set(page.map(({ id }) => id));
			return !pages[index + 1].some(({ id }) => ids.has(id));
		});
	}

	/** The wanted entries, each once. */
	entries(): T[] {
		const entries = this.needed().flat();
		return [...new Map(entries.map((entry) => [entry.id, entry])).values()].slice(0, this.wanted);
	}

	private isComplete(): boolean {
		return this.needed().length === this.end();
	}

	private needed(): T[][] {
		return this.pages.slice(0, this.end()).filter((page) => page !== undefined);
	}

	/** How many pages are needed. Other duplicates than the common entries don't count. */
	private end(): number {
		const common = Object.keys(this.pages).length - 1;
		const duplicates = Math.max(0, this.received - common - this.ids.size);
		const needed = Math.max(1, Math.ceil((this.wanted - 1 + duplicates) / this.step));
		const last = this.pages.findIndex((page, index) => this.isLast(page, index));
		return last < 0 ? needed : Math.min(last + 1, needed);
	}

	/** A service without offsets returns the same list each time. */
	private isLast(page: T[] | undefined, index: number): boolean {
		if (!page) return false;
		return page.length !== this.limit || (index > 0 && page[0]?.id === this.pages[0]?.[0]?.id);
	}
}

/** One page for the editor. A full page may not be the last. */
export async function readPage<T>(
	offset: number,
	read: (page: PageQuery) => Promise<Array<T | Unreadable>>,
): Promise<Page<T>> {
	const entries = await read({ limit: PAGE_SIZE, offset });
	const nextOffset = entries.length < PAGE_SIZE ? undefined : offset + PAGE_SIZE;
	return { entries: readable(entries), nextOffset };
}
