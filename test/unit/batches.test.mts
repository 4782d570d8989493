import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Batches, type BatchWork } from '../../nodes/Maxun/trigger/state/batches';

describe('batches', () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	/** Work that answers with the size of its batch, and functions that end the oldest batch. */
	function controlled() {
		const sizes: number[] = [];
		const ends: Array<(outcome: Promise<unknown>) => void> = [];
		const work: BatchWork<string, string> = async (inputs) => {
			sizes.push(inputs.length);
			const done = new Promise<unknown>((resolve) => ends.push(resolve));
			return { outputs: inputs.map((input) => `${input} of ${inputs.length}`), done };
		};
		const end = async () => {
			ends.shift()?.(Promise.resolve());
			await vi.advanceTimersByTimeAsync(0);
		};
		return { batches: new Batches<string, string>(), work, sizes, end };
	}

	it('process the first input at once, and together those that arrive before it is done', async () => {
		const { batches, work, sizes, end } = controlled();
		expect(await batches.add('a', work)).toBe('a of 1');
		const others = ['b', 'c'].map(async (input) => await batches.add(input, work));
		await vi.advanceTimersByTimeAsync(900);
		expect(sizes).toEqual([1]);
		await end();
		expect(await Promise.all(others)).toEqual(['b of 2', 'c of 2']);
		await end();
		expect(await batches.add('d', work)).toBe('d of 1');
	});

	it('wait a second at most for the one before', async () => {
		const { batches, work, sizes } = controlled();
		await batches.add('a', work);
		const second = batches.add('b', work);
		await vi.advanceTimersByTimeAsync(1000);
		expect(await second).toBe('b of 1');
		expect(sizes).toEqual([1, 1]);
	});

	it('that fail reject all their inputs, and the next batch continues', async () => {
		const { batches, work, end } = controlled();
		await batches.add('a', work);
		const failing = async () => await Promise.reject(new Error('no'));
		const failed = ['b', 'c'].map(async (input) => await batches.add(input, failing));
		const settled = Promise.allSettled(failed);
		await end();
		expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
		expect(await batches.add('d', work)).toBe('d of 1');
	});

	it('take fifty inputs at once, and more when those have outputs', async () => {
		const { batches, work, end } = controlled();
		await batches.add('first', work);
		const admitted = Array.from({ length: 50 }, async () => await batches.add('x', work));
		expect(await batches.add('too many', work)).toBeUndefined();
		await end();
		expect(new Set(await Promise.all(admitted))).toEqual(new Set(['x of 50']));
		await end();
		expect(await batches.add('again', work)).toBe('again of 1');
	});
});
