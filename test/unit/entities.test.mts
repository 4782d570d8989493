import { describe, expect, it } from 'vitest';
import {
	hasEnded,
	ListedRun,
	listOf,
	Robot,
	Run,
	StartResponse,
	Webhook,
} from '../../nodes/Maxun/servers/entities';
import { sdkPayloadOf } from '../../nodes/Maxun/servers/sdk/translate';
import { RunRecord } from '../../nodes/Maxun/servers/selfHosted/readRuns';
import { fieldsOf } from '../helpers/client.mts';
import { recorded } from '../helpers/recordings.mts';

it('a webhook may have its ID in different fields', () => {
	for (const name of ['id', 'webhookId', 'webhook_id', '_id']) {
		expect(Webhook.parse({ [name]: 'w', url: 'u' }).id).toBe('w');
	}
	expect(Webhook.parse({ url: 'u', events: null, retryAttempts: '3' })).toMatchObject({ id: '' });
});

it("the response to a start contains the run's ID", () => {
	expect(StartResponse.parse({ id: 'r', status: 'queued' }).id).toBe('r');
	expect(StartResponse.safeParse({ status: 'queued' }).success).toBe(false);
});

describe('a list', () => {
	it('may be an array, or an object that contains an array', () => {
		const list = listOf(Run);
		const runs = [{ id: 'r', status: 'queued' }];
		for (const value of [runs, { runs }, { totalCount: 1, items: runs }]) {
			expect(list.parse(value)).toEqual(runs);
		}
		for (const value of [null, { hello: 'world' }])
			expect(list.safeParse(value).success).toBe(false);
	});

	it('is the array of objects if the response contains several arrays', () => {
		const runs = [{ id: 'r', status: 'queued' }];
		expect(listOf(Run).parse({ warnings: ['slow'], statuses: [], runs })).toEqual(runs);
		expect(listOf(Run).parse({ runs: [], total: 0 })).toEqual([]);
	});

	it('keeps entries that have unexpected values', () => {
		const run = { id: 'r', status: null, robotName: 5, robotId: {} };
		expect(listOf(Run).parse([run])).toEqual([{ id: 'r', status: 'unknown' }]);
		expect(listOf(Robot).parse([{ id: 'b', type: null, status: 5 }])).toEqual([
			{ id: 'b', name: '' },
		]);
		expect(StartResponse.parse({ id: 'r', status: null })).toEqual({ id: 'r' });
	});

	it('skips unreadable entries', () => {
		const runs = [null, { status: 'success' }, { id: 'r', status: 'queued' }];
		expect(listOf(Run).parse({ items: runs })).toEqual([{ id: 'r', status: 'queued' }]);
	});

	it('of runs has no data', () => {
		const [run] = listOf(ListedRun).parse([{ id: 'a', status: 'success', data: { text: 'long' } }]);
		expect(run).toEqual({ id: 'a', status: 'success' });
		expect(run).not.toHaveProperty('data');
	});
});

it.each<[object, boolean]>([
	[{ status: 'queued' }, false],
	[{ status: 'scheduled' }, false],
	[{ status: 'running', finishedAt: '' }, false],
	[{ status: 'aborting', finishedAt: '2026' }, false],
	[{ status: 'success' }, true],
	[{ status: 'failed' }, true],
	[{ status: 'aborted' }, true],
	[{ status: 'something new' }, false],
	[{ status: 'something new', finishedAt: '2026-01-01T00:00:00Z' }, true],
])('whether a run has ended is read from %j: %s', (fields, ended) => {
	expect(hasEnded(Run.parse({ id: 'r', ...fields }))).toBe(ended);
});

it("a self-hosted server's record of a run shows what the nodes look for in it", () => {
	const both = [recorded('a34-run'), recorded('a32-runs')];
	const records = both.flatMap(({ answer }) => fieldsOf(answer).data);
	const text = [{ content: expect.stringMatching(/^How to oil a desk\n/) }];
	const links = [{ url: 'http://127.0.0.1:8104/products' }];
	expect(records.map((record) => RunRecord.parse(record))).toMatchObject([
		{ status: 'success', serializableOutput: { text: [], links: [] } },
		{ interpreterSettings: { formats: ['html', 'screenshot-fullpage'] } },
		{ log: expect.stringMatching(/completed/), serializableOutput: { text, links } },
	]);
});

it('odd times and lists are not changed', () => {
	const robot = { id: 'r', name: 'a', createdAt: 1e308 };
	expect(sdkPayloadOf({ robots: { items: [robot] } }, 'UTC')).toEqual([robot]);
	expect(sdkPayloadOf({ runs: {} }, 'UTC')).toEqual({});
});
