import { describe, expect, it } from 'vitest';
import { inTurn, mapConcurrently, type Workers } from '../../nodes/Maxun/http/concurrency';

describe('mapConcurrently', () => {
	it('keeps its limit and the order of the inputs', async () => {
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

	it('starts no further call after a rejection', async () => {
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

	it('begins with fewer calls, and allows more up to its limit', async () => {
		let running = 0;
		const counts: number[] = [];
		const work = async (_: number, index: number, workers: Workers) => {
			running++;
			if (index < 5) workers.add();
			counts.push(running);
			await new Promise((resolve) => setTimeout(resolve, 5));
			running--;
		};
		await mapConcurrently([1, 2, 3, 4, 5, 6, 7], 3, work, 1);
		expect(counts).toHaveLength(7);
		expect(Math.max(...counts)).toBe(3);
	});

	it('leaves inputs to the other calls, which also take inputs that are added', async () => {
		const inputs = ['a', 'b', 'c'];
		const done: string[] = [];
		let isRefused = false;
		await mapConcurrently(inputs, 2, async (input, _, workers) => {
			await new Promise((resolve) => setTimeout(resolve, input === 'a' ? 20 : 1));
			if (input === 'b' && !isRefused) {
				isRefused = true;
				workers.remove();
				inputs.push(input);
			} else done.push(input);
		});
		expect(done).toEqual(['a', 'c', 'b']);
	});

	it('returns nothing for no inputs', async () => {
		expect(await mapConcurrently([], 3, async () => 1)).toEqual([]);
	});
});

describe('inTurn', () => {
	it('does work with the same key one after another, even if some of it fails', async () => {
		const events: string[] = [];
		const work = (name: string, isFailing: boolean) => async () => {
			events.push(`${name} begins`);
			await new Promise((resolve) => setTimeout(resolve, 5));
			events.push(`${name} ends`);
			if (isFailing) throw new Error(name);
			return name;
		};
		const outcomes = await Promise.allSettled([
			inTurn('key', work('first', true)),
			inTurn('key', work('second', false)),
		]);
		expect(events).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
		expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
	});
});
