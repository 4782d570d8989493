import { beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { Connection } from '../../nodes/Maxun/http/connection';
import { forCleanup } from '../../nodes/Maxun/http/context';
import { MaxunFault } from '../../nodes/Maxun/http/fault';
import { cloud } from '../../nodes/Maxun/servers/cloud';
import { fakeContext } from './fakeServer.mts';

beforeEach(() => void vi.useFakeTimers());

/** A connection to a service that exceeds its rate limit for half a minute at the first request. */
function limited() {
	const sent: string[] = [];
	const baseUrl = 'https://maxun.example';
	const context = fakeContext(baseUrl, async ({ url }) => {
		sent.push(url);
		return sent.length === 1
			? { status: 429, headers: { 'retry-after': '30' }, body: { error: 'Slow down, key' } }
			: { body: { success: true, data: {} } };
	});
	const credential = { id: '', name: '', type: cloud.protocol.credential.name };
	const account = { credential, baseUrl, apiKey: 'key' };
	return { connection: new Connection(context, cloud.protocol, account), sent };
}

const get = (path: string) => ({ method: 'GET' as const, path });

/** The result of a request that can wait only briefly, while another request waits for the rate limit. */
async function hastyWhilePatientWaits(derive: (connection: Connection) => Connection) {
	const { connection, sent } = limited();
	const patient = connection.send(get('/patient'), z.unknown());
	await vi.advanceTimersByTimeAsync(1000);
	const began = Date.now();
	const hasty = derive(connection).send(get('/hasty'), z.unknown());
	const fault: unknown = await Promise.race([
		hasty.catch((error: unknown) => error),
		vi.advanceTimersByTimeAsync(11_000).then(() => 'still waiting'),
	]);
	const elapsed = Date.now() - began;
	await vi.advanceTimersByTimeAsync(20_000);
	await patient;
	return { fault, elapsed, sent };
}

it.each<[string, (connection: Connection) => Connection]>([
	['little time', (connection) => connection.with({ maxRetries: 3, maxWait: 10_000 })],
	['the time for cleanup', (connection) => connection.with(forCleanup())],
])(
	'after another request has exceeded the rate limit, a request fails at once on a connection with %s',
	async (_, derive) => {
		const { fault, elapsed, sent } = await hastyWhilePatientWaits(derive);
		expect(fault).toBeInstanceOf(MaxunFault);
		expect(fault).toMatchObject({ status: 429, temporary: true });
		expect(Object(fault).description).toContain('Slow down, [API key]');
		expect(elapsed).toBeLessThan(12_000);
		expect(sent).toEqual(['patient', 'patient'].map((name) => `https://maxun.example/${name}`));
	},
);

describe('connections derived from one connection', () => {
	it('share the rate limit with each other and with the original connection', async () => {
		const { connection, sent } = limited();
		const derived = connection.with({ teamId: 'team' });
		const first = derived.send(get('/first'), z.unknown());
		await vi.advanceTimersByTimeAsync(1000);
		const others = [connection, derived, connection.with({ maxWait: 30_000 })].map(
			async (other) => await other.send(get('/other'), z.unknown()),
		);
		await vi.advanceTimersByTimeAsync(28_000);
		expect(sent).toHaveLength(1);
		await vi.advanceTimersByTimeAsync(2000);
		await Promise.all([first, ...others]);
		expect(sent).toHaveLength(5);
	});

	it('never wait longer than the original connection', async () => {
		const { connection, sent } = limited();
		const patient = connection.send(get('/patient'), z.unknown());
		await vi.advanceTimersByTimeAsync(1000);
		const hasty = connection
			.with({ maxWait: 10_000 })
			.with({ maxWait: 60_000 })
			.send(get('/hasty'), z.unknown());
		await expect(hasty).rejects.toMatchObject({ status: 429 });
		await vi.advanceTimersByTimeAsync(30_000);
		await patient;
		expect(sent).toHaveLength(2);
	});
});
