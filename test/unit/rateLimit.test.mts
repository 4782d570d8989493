import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { MaxunFault } from '../../nodes/Maxun/api/fault';
import { Connection } from '../../nodes/Maxun/core/transport';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A connection to a service whose rate limit is used up for half a minute at the first request. */
function limited() {
	const sent: string[] = [];
	const httpRequestWithAuthentication = async (_: string, { url }: IHttpRequestOptions) => {
		sent.push(url);
		const isFirst = sent.length === 1;
		return isFirst
			? { statusCode: 429, headers: { 'retry-after': '30' }, body: { error: 'Slow down, key' } }
			: { statusCode: 200, headers: {}, body: { success: true, data: {} } };
	};
	const context: IExecuteFunctions = Object.assign(Object.create(null), {
		helpers: { httpRequestWithAuthentication },
	});
	const account = { dialect: 'cloud' as const, baseUrl: 'https://maxun.example', apiKey: 'key' };
	return { connection: new Connection(context, account), sent };
}

const get = (path: string) => ({ method: 'GET' as const, path });

test('a request with little time does not wait out a rate limit that another has met', async () => {
	const { connection, sent } = limited();
	const patient = connection.send(get('/patient'), z.unknown());
	await vi.advanceTimersByTimeAsync(1000);
	const began = Date.now();
	const hasty = connection.send(get('/hasty'), z.unknown(), {
		patience: { maxRetries: 3, maxWait: 10_000 },
	});
	const fault = await Promise.race([
		hasty.catch((error: unknown) => error),
		vi.advanceTimersByTimeAsync(11_000).then(() => 'still waiting'),
	]);
	expect(fault).toBeInstanceOf(MaxunFault);
	expect(fault).toMatchObject({ status: 429, transient: true });
	expect(Object(fault).description).toContain('Slow down, [API key]');
	expect(Date.now() - began).toBeLessThan(12_000);
	await vi.advanceTimersByTimeAsync(20_000);
	await patient;
	expect(sent).toEqual(['patient', 'patient'].map((name) => `https://maxun.example/${name}`));
});

test('one with enough time does', async () => {
	const { connection, sent } = limited();
	const first = connection.send(get('/first'), z.unknown());
	await vi.advanceTimersByTimeAsync(1000);
	const second = connection.send(get('/second'), z.unknown(), {
		patience: { maxRetries: 3, maxWait: 30_000 },
	});
	await vi.advanceTimersByTimeAsync(28_000);
	expect(sent).toHaveLength(1);
	await vi.advanceTimersByTimeAsync(2000);
	await Promise.all([first, second]);
	expect(sent).toHaveLength(3);
});
