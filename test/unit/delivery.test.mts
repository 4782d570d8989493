import { describe, expect, test } from 'vitest';
import { readDelivery } from '../../nodes/Maxun/api/delivery';
import { hasEnded, listOf, Robot, Run, StartedRun, Webhook } from '../../nodes/Maxun/api/entities';
import { isSecret, newSecret } from '../../nodes/Maxun/events/secret';

describe('a delivery', () => {
	test.each<[string, unknown, object]>([
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
			'in camel case without an id',
			{ event_type: 'run_failed', data: { robotId: 'b' } },
			{ isTest: false, runId: undefined, robotId: 'b' },
		],
		[
			'that is flat',
			{ run_id: 'r', robot_id: 'b', data: [{ run_id: 'a column' }] },
			{ isTest: false, runId: 'r', robotId: 'b' },
		],
		[
			'that is a test',
			{ event_type: 'webhook_test', data: { status: 'test', run_id: 'made up' } },
			{ isTest: true },
		],
	])('%s', (_, body, read) => expect(readDelivery(body)).toMatchObject(read));

	test.each([null, undefined, '', 'text', 5, [], [{ run_id: 'r' }], { data: null }, { data: [1] }])(
		'%j names no run',
		(body) => expect(readDelivery(body)).toMatchObject({ isTest: false, runId: undefined }),
	);

	test.each([{ run_id: 5 }, { run_id: { $ne: 1 } }, { run_id: '' }, { run_id: ['r'] }])(
		'%j names no run',
		(body) => expect(readDelivery({ data: body }).runId).toBeUndefined(),
	);
});

describe('a secret', () => {
	test('is long, and another each time', () => {
		const secrets = Array.from({ length: 100 }, newSecret);
		expect(new Set(secrets).size).toBe(100);
		for (const secret of secrets) expect(secret.length).toBeGreaterThanOrEqual(32);
	});

	test('is known by the whole of it alone', () => {
		const secret = newSecret();
		expect(isSecret(secret, secret)).toBe(true);
		for (const sent of [
			secret.slice(1),
			`${secret}0`,
			secret.toUpperCase() + 'x',
			'',
			undefined,
			[secret],
		]) {
			expect(isSecret(sent, secret)).toBe(false);
		}
		expect(isSecret('', '')).toBe(false);
	});
});

describe('entities', () => {
	test('keep what they do not know', () => {
		const robot = { id: 'b', name: 'B', type: 'scrape', other: { deep: [1] } };
		expect(Robot.parse(robot)).toEqual(robot);
	});

	test('a webhook has its id under any of the names it may have', () => {
		for (const name of ['id', 'webhookId', 'webhook_id', '_id']) {
			expect(Webhook.parse({ [name]: 'w', url: 'u' }).id).toBe('w');
		}
		expect(Webhook.parse({ url: 'u', events: null, retryAttempts: '3' })).toMatchObject({ id: '' });
	});

	test('a started run has its id in a field or at the end of its address', () => {
		expect(StartedRun.parse({ id: 'r', status: 'queued' }).id).toBe('r');
		expect(StartedRun.parse({ url: 'https://a/api/v1/runs/r2' }).id).toBe('r2');
		expect(StartedRun.safeParse({ status: 'queued' }).success).toBe(false);
	});

	test('a list may be bare or held by an object', () => {
		const list = listOf(Run);
		const runs = [{ id: 'r', status: 'queued' }];
		for (const value of [runs, { runs }, { totalCount: 1, items: runs }]) {
			expect(list.parse(value)).toEqual(runs);
		}
		expect(list.parse(null)).toEqual([]);
		expect(list.safeParse({ hello: 'world' }).success).toBe(false);
	});

	test.each<[object, boolean]>([
		[{ status: 'queued' }, false],
		[{ status: 'scheduled' }, false],
		[{ status: 'running', finishedAt: '' }, false],
		[{ status: 'aborting', finishedAt: '2026' }, false],
		[{ status: 'success' }, true],
		[{ status: 'failed' }, true],
		[{ status: 'aborted' }, true],
		[{ status: 'something new' }, false],
		[{ status: 'something new', finishedAt: '2026-01-01T00:00:00Z' }, true],
	])('a run of %j has ended: %s', (fields, ended) => {
		expect(hasEnded(Run.parse({ id: 'r', ...fields }))).toBe(ended);
	});
});
