import { expect, it } from 'vitest';
import { Deliveries } from '../../nodes/Maxun/trigger/deliveries';

it('at most 1,000 ignored deliveries are remembered', async () => {
	const deliveries = new Deliveries();
	const checked: string[] = [];
	const send = async (name: string) =>
		await deliveries.decide(
			name,
			async () => {
				checked.push(name);
				return await Promise.resolve({ ignored: 'event of another robot' });
			},
			true,
		);
	for (let count = 0; count < 1000; count++) await send(`run ${count}`);
	for (const name of ['run 0', 'another run', 'run 0', 'run 999']) await send(name);
	expect(checked.slice(1000)).toEqual(['another run', 'run 0']);
});
