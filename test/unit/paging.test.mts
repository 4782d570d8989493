import { describe, expect, it } from 'vitest';
import { readPages, type PageQuery } from '../../nodes/Maxun/servers/cloud/paging';

const entries = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => ({ id: String(from + index) }));

const PARALLEL = 10;

/** The entries that a result lacks. */
function missingIn(result: Array<{ id: string }>, expected: Array<{ id: string }>) {
	const ids = new Set(result.map(({ id }) => id));
	return expected.filter(({ id }) => !ids.has(id));
}

/**
 * A list on the service, and the pages that were requested.
 * @param before what happens before a page is read, the first of which has the number 0. Only a promise delays the page
 */
function list<T>(all: T[], before: (number: number, page: PageQuery) => unknown = () => {}) {
	const requested: PageQuery[] = [];
	const read = async (page: PageQuery) => {
		const waiting = before(requested.push(page) - 1, page);
		if (waiting instanceof Promise) await waiting;
		return all.slice(page.offset, page.offset + page.limit);
	};
	return { read, requested };
}

describe('a list of pages', () => {
	it.each([0, 1, 99, 100, 101, 250, 300, 1000])(
		'is read as a whole if it has %i entries',
		async (count) => {
			const { read } = list(entries(count));
			expect(await readPages(Infinity, PARALLEL, read)).toEqual(entries(count));
		},
	);

	it.each([
		[1, 1],
		[50, 1],
		[100, 1],
		[101, 2],
		[250, 3],
	])('is read up to %i entries in %i pages', async (wanted, pages) => {
		const { read, requested } = list(entries(1000));
		expect(await readPages(wanted, PARALLEL, read)).toEqual(entries(wanted));
		expect(requested).toHaveLength(pages);
	});

	it('is requested up to the limit, and never beyond the largest page', async () => {
		const few = list(entries(10));
		await readPages(7, PARALLEL, few.read);
		expect(few.requested).toEqual([{ limit: 7, offset: 0 }]);
		const many = list(entries(500));
		await readPages(Infinity, PARALLEL, many.read);
		expect(new Set(many.requested.map(({ limit }) => limit))).toEqual(new Set([100]));
	});

	it('needs one request if it is short', async () => {
		const { read, requested } = list(entries(30));
		await readPages(Infinity, PARALLEL, read);
		expect(requested).toHaveLength(1);
	});

	it('returns an entry once if it moves to the next page', async () => {
		const all = entries(205);
		const { read } = list(all, (page) => page === 1 && all.unshift({ id: 'new' }));
		const result = await readPages(Infinity, PARALLEL, read);
		expect(result.map(({ id }) => id)).toEqual(entries(205).map(({ id }) => id));
	});

	it.each([1, 2, 5])('is complete if %i new entries come between two pages', async (count) => {
		const all = entries(405);
		const { read } = list(all, (page) => {
			if (page === 5) all.unshift(...entries(count, 1000));
			// The second page is the last one that the service reads.
			return page === 1 && new Promise(setImmediate);
		});
		const result = await readPages(Infinity, PARALLEL, read);
		const ids = result.map(({ id }) => id);
		expect(ids).toEqual([...new Set(ids)]);
		expect(missingIn(result, entries(405))).toEqual([]);
	});

	it.each([1, 2, 150])('is complete if %i earlier entries disappear', async (count) => {
		const all = entries(405);
		const { read } = list(all, (page) => page === 2 && all.splice(0, count));
		const result = await readPages(Infinity, 1, read);
		expect(missingIn(result, all)).toEqual([]);
	});

	it('also contains the entries that new entries move to another page', async () => {
		const all = entries(495);
		let held = 1;
		const { read } = list(all, (_, { offset }) => {
			if (offset !== 2 * 99 || held-- <= 0) return undefined;
			return new Promise(setImmediate).then(() => all.unshift(...entries(5, 1000)));
		});
		const result = await readPages(Infinity, PARALLEL, read);
		expect(missingIn(result, entries(495))).toEqual([]);
	});

	it('is not read forever if it changes with each request', async () => {
		let pages = 0;
		const reading = readPages(Infinity, PARALLEL, async ({ limit, offset }) =>
			entries(405, 1000 * pages++).slice(offset, offset + limit),
		);
		await expect(reading).rejects.toThrow('The list kept changing while the node was reading it');
		expect(pages).toBeLessThan(350);
	});

	it('is not read forever if a service without offsets has a new entry', async () => {
		const all = entries(100);
		let pages = 0;
		const reading = readPages(Infinity, PARALLEL, async ({ limit }) => {
			if (pages++ === 1) all.unshift({ id: 'new' });
			if (pages > 350) throw new Error('read forever');
			return all.slice(0, limit);
		});
		await expect(reading).rejects.toThrow('The list kept changing while the node was reading it');
	});

	it("fails with any page's error", async () => {
		const { read } = list(entries(500), (_, { offset }) => {
			if (offset > 0) throw new Error('page 2');
		});
		await expect(readPages(Infinity, PARALLEL, read)).rejects.toThrow('page 2');
	});

	it('does not send any more requests after a page has failed', async () => {
		const { read, requested } = list(entries(10_000), (_, { offset }) => {
			if (offset === 5 * 99) throw new Error('page 6');
		});
		await expect(readPages(Infinity, PARALLEL, read)).rejects.toThrow('page 6');
		await new Promise(setImmediate);
		expect(requested.length).toBeLessThan(30);
	});

	it('does not wait for pages beyond the end', async () => {
		const never = new Promise(() => undefined);
		const { read } = list(entries(405), (_, { offset }) => offset > 405 && never);
		expect(await readPages(Infinity, PARALLEL, read)).toEqual(entries(405));
	});

	it('does not depend on an unreadable entry', async () => {
		const { read } = list(entries(405));
		const result = await readPages(Infinity, PARALLEL, async (page) =>
			(await read(page)).map((entry) => (entry.id === '99' ? undefined : entry)),
		);
		expect(result).toEqual(entries(405).filter(({ id }) => id !== '99'));
	});

	it('continues after an unreadable entry if one entry is wanted', async () => {
		const { read } = list([undefined, ...entries(3)]);
		expect(await readPages(1, PARALLEL, read)).toEqual(entries(1));
	});
});
