import { expect, it } from 'vitest';
import { busyTime, longestBlock } from '../helpers/busyTime.mts';
import { execute } from '../helpers/engine/index.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox();

it('reading the parameters of 10,000 items does not block n8n', async () => {
	const items = Array.from({ length: 10_000 }, (_, index) => ({ index }));
	const began = busyTime();
	const longest = await longestBlock(async () => {
		const { error } = await execute({
			parameters: maxun('run', 'runAndWait', {
				output: 'simplified',
				robotId: locator('={{ $json.index < 9999 ? "r" + $json.index : "" }}'),
			}),
			items,
			credentials: sandbox.credentials(),
		});
		expect(error).toBeDefined();
	});
	const all = busyTime() - began;
	console.log(`${Math.round(all)} ms, at most ${Math.round(longest)} ms at a time`);
	// The engine itself needs some time for this many items.
	expect(longest).toBeLessThan(Math.max(all / 4, 500));
});
