import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readDelivery } from '../../nodes/Maxun/servers/deliveryBody';

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
