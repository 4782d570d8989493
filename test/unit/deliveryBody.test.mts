import { describe, expect, it } from 'vitest';
import { readDelivery } from '../../nodes/Maxun/servers/deliveryBody';

describe('a delivery', () => {
	it.each<[string, unknown, object]>([
		[
			'in snake case',
			{ event_type: 'run_completed', data: { run_id: 'r', robot_id: 'b' } },
			{ isTest: false, runId: 'r', robotId: 'b' },
		],
		[
			'in camel case',
			{ event_type: 'run_failed', data: { runId: 'r', robotId: 'b' } },
			{ isTest: false, runId: 'r', robotId: 'b' },
		],
		[
			'in camel case without the ID of a run',
			{ event_type: 'run_failed', data: { robotId: 'b' } },
			{ isTest: false, runId: undefined, robotId: 'b' },
		],
		[
			'with the IDs outside of its data',
			{ run_id: 'r', robot_id: 'b', data: [{ run_id: 'a column' }] },
			{ isTest: false, runId: 'r', robotId: 'b' },
		],
		[
			'of a sample event',
			{ event_type: 'webhook_test', data: { status: 'test', run_id: 'made up' } },
			{ isTest: true },
		],
	])('in the form %s is read', (_, body, read) => {
		expect(readDelivery(body)).toMatchObject(read);
	});

	it('mentions no run if the ID is longer than any ID of Maxun', () => {
		const [id, huge] = ['r'.repeat(200), 'r'.repeat(201)];
		expect(readDelivery({ data: { run_id: id } })).toMatchObject({ runId: id });
		expect(readDelivery({ data: { run_id: huge } }).runId).toBeUndefined();
		expect(readDelivery({ data: { run_id: huge }, run_id: id }).runId).toBe(id);
	});

	it.each([null, undefined, '', 'text', 5, [], [{ run_id: 'r' }], { data: null }, { data: [1] }])(
		'mentions no run if its body is %j',
		(body) => {
			expect(readDelivery(body)).toMatchObject({ isTest: false, runId: undefined });
		},
	);

	it.each([{ run_id: 5 }, { run_id: { $ne: 1 } }, { run_id: '' }, { run_id: ['r'] }])(
		'mentions no run if its data is %j',
		(data) => {
			expect(readDelivery({ data }).runId).toBeUndefined();
		},
	);
});
