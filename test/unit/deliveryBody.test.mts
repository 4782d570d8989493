import { describe, expect, it } from 'vitest';
import { readDelivery } from '../../nodes/Maxun/servers/deliveryBody';

describe('a delivery', () => {
	it('mentions no run if the ID is longer than any Maxun ID', () => {
		const [id, huge] = ['r'.repeat(200), 'r'.repeat(201)];
		expect(readDelivery({ data: { run_id: id } })).toMatchObject({ runId: id });
		expect(readDelivery({ data: { run_id: huge } }).runId).toBeUndefined();
		expect(readDelivery({ data: { run_id: huge }, run_id: id }).runId).toBe(id);
	});

	it.each([{ run_id: 5 }, { run_id: { $ne: 1 } }, { run_id: '' }, { run_id: ['r'] }])(
		'mentions no run if its data is %j',
		(data) => {
			expect(readDelivery({ data }).runId).toBeUndefined();
		},
	);
});
