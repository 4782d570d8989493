import { describe, expect, test } from 'vitest';
import { mapConcurrently } from '../../nodes/Maxun/core/concurrency';
import { readPages, type Page } from '../../nodes/Maxun/core/paging';

const entries = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => ({ id: String(from + index) }));

/** A list on the service, and the pages that were asked for. */
function list(all: Array<{ id: string }>) {
	const asked: Page[] = [];
	const read = async (page: Page) => {
		asked.push(page);
		await Promise.resolve();
		return all.slice(page.offset, page.offset + page.limit);
	};
	return { read, asked };
}

describe('a list of pages', () => {
	test.each([0, 1, 99, 100, 101, 250, 300, 1000])('is read whole: %i entries', async (count) => {
		const { read } = list(entries(count));
		expect(await readPages(Infinity, read)).toEqual(entries(count));
	});

	test.each([
		[1, 1],
		[50, 1],
		[100, 1],
		[101, 2],
		[250, 3],
	])('is read up to %i entries in %i pages', async (wanted, pages) => {
		const { read, asked } = list(entries(1000));
		expect(await readPages(wanted, read)).toEqual(entries(wanted));
		expect(asked).toHaveLength(pages);
	});

	test('asks for no more than is wanted, and never for more than the service gives', async () => {
		const few = list(entries(10));
		await readPages(7, few.read);
		expect(few.asked).toEqual([{ limit: 7, offset: 0 }]);
		const many = list(entries(500));
		await readPages(Infinity, many.read);
		expect(new Set(many.asked.map(({ limit }) => limit))).toEqual(new Set([100]));
	});

	test('costs a short list one request', async () => {
		const { read, asked } = list(entries(30));
		await readPages(Infinity, read);
		expect(asked).toHaveLength(1);
	});

	test('gives an entry once that was pushed onto the next page meanwhile', async () => {
		const all = entries(205);
		let pages = 0;
		const result = await readPages(Infinity, async ({ limit, offset }) => {
			if (pages++ === 1) all.unshift({ id: 'new' });
			return all.slice(offset, offset + limit);
		});
		expect(result.map(({ id }) => id)).toEqual(entries(205).map(({ id }) => id));
	});

	test('passes on what went wrong', async () => {
		const failing = async ({ offset, limit }: Page) => {
			if (offset > 0) throw new Error('page 2');
			return entries(limit);
		};
		await expect(readPages(Infinity, failing)).rejects.toThrow('page 2');
	});
});

describe('concurrent work', () => {
	test('keeps its bound and the order of the inputs', async () => {
		let running = 0;
		let most = 0;
		const results = await mapConcurrently([30, 5, 20, 1, 10], 2, async (milliseconds, index) => {
			most = Math.max(most, ++running);
			await new Promise((resolve) => setTimeout(resolve, milliseconds));
			running--;
			return index;
		});
		expect(results).toEqual([0, 1, 2, 3, 4]);
		expect(most).toBe(2);
	});

	test('begins nothing further after a rejection', async () => {
		const begun: number[] = [];
		const working = mapConcurrently([0, 1, 2, 3, 4, 5], 2, async (input) => {
			begun.push(input);
			await Promise.resolve();
			if (input === 1) throw new Error('one');
			await new Promise((resolve) => setTimeout(resolve, 5));
		});
		await expect(working).rejects.toThrow('one');
		await new Promise((resolve) => setTimeout(resolve, 20));
		expect(begun).toEqual([0, 1]);
	});

	test('of nothing is nothing', async () => {
		expect(await mapConcurrently([], 3, async () => 1)).toEqual([]);
	});
});
