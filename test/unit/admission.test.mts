import { expect, test } from 'vitest';
import { Memory } from '../../nodes/Maxun/events/memory';

test('ten deliveries are worked on at once, and more when those are done or have failed', async () => {
	const memory = new Memory();
	const ends: Array<(failing: boolean) => void> = [];
	const work = async () =>
		await new Promise<string>((resolve, reject) => {
			ends.push((failing) => (failing ? reject(new Error('no')) : resolve('done')));
		});
	const admitted = Array.from({ length: 10 }, async () => await memory.admit(work));
	expect(await memory.admit(work)).toBeUndefined();
	expect(ends).toHaveLength(10);
	ends.forEach((end, index) => end(index === 0));
	const outcomes = await Promise.allSettled(admitted);
	expect(outcomes.map(({ status }) => status).sort()).toEqual([
		...Array<string>(9).fill('fulfilled'),
		'rejected',
	]);
	expect(await memory.admit(async () => 'again')).toBe('again');
});
