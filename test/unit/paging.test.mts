import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { readPages, type PageQuery } from '../../nodes/Maxun/servers/cloud/paging';

const entries = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => ({ id: String(from + index) }));

/** A list on the service, and the pages that were requested. */
function list(all: Array<{ id: string }>) {
	const requested: PageQuery[] = [];
	const read = async (page: PageQuery) => {
		requested.push(page);
		await Promise.resolve();
		return all.slice(page.offset, page.offset + page.limit);
	};
	return { read, requested };
}

/** Lets everything happen that follows from what has happened so far. */
const settled = async () => await new Promise((resolve) => setImmediate(resolve));

describe('a list of pages', () => {
	it.each([0, 1, 99, 100, 101, 250, 300, 1000])(
		'is read as a whole if it has %i entries',
		async (count) => {
			const { read } = list(entries(count));
			expect(await readPages(Infinity, 10, read)).toEqual(entries(count));
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
		expect(await readPages(wanted, 10, read)).toEqual(entries(wanted));
		expect(requested).toHaveLength(pages);
	});

	it('is requested up to the limit, and never beyond the largest page', async () => {
		const few = list(entries(10));
		await readPages(7, 10, few.read);
		expect(few.requested).toEqual([{ limit: 7, offset: 0 }]);
		const many = list(entries(500));
		await readPages(Infinity, 10, many.read);
		expect(new Set(many.requested.map(({ limit }) => limit))).toEqual(new Set([100]));
	});

	it('is read as a whole in whatever order its pages arrive', async () => {
		const pageDelays = fc.array(fc.nat(6), { minLength: 1 });
		const isRead = async (length: number, wanted: number, parallel: number, delays: number[]) => {
			const all = entries(length);
			const result = await readPages(wanted, parallel, async ({ limit, offset }) => {
				for (let turns = delays[(offset / limit) % delays.length]; turns > 0; turns--)
					await settled();
				return all.slice(offset, offset + limit);
			});
			expect(result).toEqual(all.slice(0, wanted));
		};
		const wanted = fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 1500 }));
		await fc.assert(
			fc.asyncProperty(fc.nat(1500), wanted, fc.integer({ min: 1, max: 12 }), pageDelays, isRead),
		);
	});

	it('needs one request if it is short', async () => {
		const { read, requested } = list(entries(30));
		await readPages(Infinity, 10, read);
		expect(requested).toHaveLength(1);
	});

	it('returns an entry once if it moves to the next page', async () => {
		const all = entries(205);
		let pages = 0;
		const result = await readPages(Infinity, 10, async ({ limit, offset }) => {
			if (pages++ === 1) all.unshift({ id: 'new' });
			return all.slice(offset, offset + limit);
		});
		expect(result.map(({ id }) => id)).toEqual(entries(205).map(({ id }) => id));
	});

	it('rejects with the error of any page', async () => {
		const failing = async ({ offset, limit }: PageQuery) => {
			if (offset > 0) throw new Error('page 2');
			return entries(limit);
		};
		await expect(readPages(Infinity, 10, failing)).rejects.toThrow('page 2');
	});
});

/** Pages that arrive in the order that the test decides. */
function deferredPages(all: Array<{ id: string }>) {
	const requests = new Map<
		number,
		{ signal: AbortSignal; arrive(): void; fail(reason: Error): void }
	>();
	const read = async ({ limit, offset }: PageQuery, signal: AbortSignal) =>
		await new Promise<Array<{ id: string }>>((resolve, reject) => {
			const arrive = () => resolve(all.slice(offset, offset + limit));
			requests.set(offset / limit, { signal, arrive, fail: reject });
		});
	const request = (page: number) => {
		const found = requests.get(page);
		if (!found) throw new Error(`Page ${page} was not requested`);
		return found;
	};
	/** Lets pages arrive, one after another. */
	const arrive = async (...pages: number[]) => {
		for (const page of pages) {
			request(page).arrive();
			await settled();
		}
	};
	return { read, request, arrive, count: () => requests.size };
}

describe('pages behind the last one', () => {
	it('are not waited for', async () => {
		const { read, arrive, count } = deferredPages(entries(250));
		const reading = readPages(Infinity, 5, read);
		await arrive(0, 1, 2);
		expect(count()).toBeGreaterThan(3);
		expect(await reading).toEqual(entries(250));
	});

	it('are waited for until all pages before the last one have arrived', async () => {
		const { read, arrive } = deferredPages(entries(350));
		const reading = readPages(Infinity, 5, read);
		const ended = vi.fn();
		void reading.then(ended);
		await arrive(0, 3, 2);
		expect(ended).not.toHaveBeenCalled();
		await arrive(1);
		expect(await reading).toEqual(entries(350));
	});

	it('are no longer requested, and their signal aborts', async () => {
		const { read, request, arrive, count } = deferredPages(entries(250));
		const reading = readPages(Infinity, 5, read);
		await arrive(0, 2);
		expect(count()).toBe(6);
		expect(request(5).signal.aborted).toBe(false);
		await arrive(1);
		await reading;
		expect(request(5).signal.aborted).toBe(true);
		await arrive(3, 4, 5);
		expect(count()).toBe(6);
	});

	it.each(['before', 'after'])('may fail %s the last one arrives', async (when) => {
		const { read, request, arrive } = deferredPages(entries(250));
		const reading = readPages(Infinity, 5, read);
		await arrive(0, 1);
		if (when === 'before') request(4).fail(new Error('page 5'));
		await settled();
		await arrive(2);
		if (when === 'after') request(4).fail(new Error('page 5'));
		expect(await reading).toEqual(entries(250));
		await settled(); // an unhandled rejection fails the test run
	});
});

describe('a page that fails', () => {
	it('ends the list, and the signal of all others aborts', async () => {
		const { read, request, arrive, count } = deferredPages(entries(1000));
		const reading = readPages(Infinity, 3, read);
		await arrive(0);
		expect(count()).toBe(4);
		request(1).fail(new Error('page 2'));
		await expect(reading).rejects.toThrow('page 2');
		expect(request(2).signal.aborted).toBe(true);
		await arrive(2, 3);
		expect(count()).toBe(4);
	});
});

describe('parallel requests', () => {
	it('never exceed their limit, and reach it after a full first page', async () => {
		let active = 0;
		const actives: number[] = [];
		const result = await readPages(Infinity, 4, async ({ limit, offset }) => {
			actives.push(++active);
			for (let turns = (offset / limit) % 3; turns >= 0; turns--) await settled();
			active--;
			return entries(2000).slice(offset, offset + limit);
		});
		expect(result).toHaveLength(2000);
		expect(actives[0]).toBe(1);
		expect(Math.max(...actives)).toBe(4);
	});

	it('are as many as the entries that are still missing after duplicates need', async () => {
		const { read, requested } = list([...entries(150), ...entries(150, 100)]);
		expect(await readPages(250, 10, read)).toEqual(entries(250));
		expect(requested.map(({ offset }) => offset)).toEqual([0, 100, 200]);
	});
});
