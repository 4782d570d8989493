import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readDelivery } from '../../nodes/Maxun/servers/deliveryBody';
import { Deliveries } from '../../nodes/Maxun/trigger/deliveries';

describe('a delivery', () => {
	const id = randomUUID();

	it.each(['r'.repeat(200), 'active', '../robots', '7', `${id}/`, `${id}${id}`])(
		"does not mention a run if the ID is %j, which isn't the form of an ID",
		(odd) => {
			expect(readDelivery({ data: { run_id: id } })).toMatchObject({ runId: id });
			expect(readDelivery({ data: { run_id: odd } }).runId).toBeUndefined();
			expect(readDelivery({ data: { run_id: odd }, run_id: id }).runId).toBe(id);
		},
	);

	it.each([{ run_id: 5 }, { run_id: { $ne: 1 } }, { run_id: '' }, { run_id: ['r'] }])(
		'does not mention a run if its data is %j',
		(data) => {
			expect(readDelivery({ data }).runId).toBeUndefined();
		},
	);
});

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
