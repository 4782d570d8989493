import { describe, expect, it } from 'vitest';
import { faultOf, MaxunFault, recover } from '../../nodes/Maxun/http/fault';
import { faultOfNetwork, wasNeverSent } from '../../nodes/Maxun/http/responseFaults';
import { cloudProtocol } from '../../nodes/Maxun/servers/cloud/protocol';

const failing = async (reason: unknown): Promise<string> => await Promise.reject(reason);

const GET_ACCOUNT = { method: 'GET' as const, path: '/me' };

describe('a fault', () => {
	it('contains no secret in any of its texts', () => {
		const fault = new MaxunFault('key K1 is bad', 'K1 and K1', { status: 403, transient: true });
		expect(fault.without('K1')).toMatchObject({
			message: 'key [API key] is bad',
			description: '[API key] and [API key]',
			status: 403,
			transient: true,
		});
		expect(fault.without('')).toBe(fault);
	});
});

describe('the fault of a response', () => {
	it("names the request's subject", () => {
		const response = { status: 404, headers: {}, body: { success: false, error: 'Not found' } };
		const messageFor = (path: string) =>
			cloudProtocol.faultOf(response, { method: 'GET', path }).message;
		expect(messageFor('/robots/r%2F1')).toContain("robot 'r/1'");
		expect(messageFor('/robots/r1/webhooks/w1')).toMatch(/robot 'r1' or webhook 'w1'/);
		expect(messageFor('/runs/x1/cancel')).toContain("run 'x1'");
		expect(messageFor('/runs/active')).not.toContain('active');
	});

	it.each([429, 500, 502, 503, 504])('is transient if the status is %i', (status) => {
		const response = { status, headers: {}, body: '' };
		expect(cloudProtocol.faultOf(response, GET_ACCOUNT).transient).toBe(true);
	});

	it.each([400, 401, 402, 403, 404, 409, 301])('is lasting if the status is %i', (status) => {
		const response = { status, headers: {}, body: '' };
		expect(cloudProtocol.faultOf(response, GET_ACCOUNT).transient).toBe(false);
	});
});

describe('the fault of the network', () => {
	it('names the URL and the reason', () => {
		const fault = faultOfNetwork('ENOTFOUND', 'getaddrinfo', 'https://maxun.invalid/api/v1');
		expect(fault.description).toContain('https://maxun.invalid/api/v1');
		expect(fault.message).not.toContain('ENOTFOUND');
		expect(fault.transient).toBe(false);
		expect(faultOfNetwork('ECONNRESET', '', 'x').transient).toBe(true);
	});

	it.each([
		['SsrfBlockedIpError', /N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES/],
		['SsrfBlockedHostnameError', /N8N_SSRF_ALLOWED_HOSTNAMES.*N8N_SSRF_BLOCKED_HOSTNAMES/],
	])("names the settings of n8n's SSRF protection, and is not retried: %s", (code, settings) => {
		const fault = faultOfNetwork(code, 'The request was blocked', 'http://10.0.0.1');
		expect(fault.description).toMatch(settings);
		expect(fault).toMatchObject({ transient: false, uncertain: false });
		expect(wasNeverSent(code)).toBe(true);
	});

	it('says that nothing was sent if there was no connection', () => {
		expect(wasNeverSent('ECONNREFUSED')).toBe(true);
		expect(wasNeverSent('ECONNRESET')).toBe(false);
		expect(wasNeverSent('ETIMEDOUT')).toBe(false);
	});
});

describe('recover', () => {
	const named = {
		missingRoute: () => 'missing route',
		notFound: () => 'not found',
		forbidden: () => 'forbidden',
		uncertain: () => 'uncertain',
		transient: () => 'transient',
		any: () => 'any',
	};

	it('returns the value of work that succeeds', async () => {
		expect(await recover(Promise.resolve('value'), named)).toBe('value');
	});

	it.each<[string, ConstructorParameters<typeof MaxunFault>[2]]>([
		['missing route', { missingRoute: true, status: 404, uncertain: true, transient: true }],
		['not found', { status: 404, uncertain: true, transient: true }],
		['forbidden', { status: 403, uncertain: true, transient: true }],
		['uncertain', { status: 502, uncertain: true, transient: true }],
		['transient', { status: 500, transient: true }],
		['any', { status: 400 }],
	])("calls the most specific handler: '%s'", async (handler, details) => {
		const fault = new MaxunFault('What happened', 'What to do', details);
		expect(await recover(failing(fault), named)).toBe(handler);
	});

	it('uses the most specific handler, whatever their order', async () => {
		const { any, transient, notFound } = named;
		const fault = new MaxunFault('Gone', '', { status: 404, transient: true });
		expect(await recover(failing(fault), { any, transient, notFound })).toBe('not found');
	});

	it('passes a fault to a less specific handler if there is no other', async () => {
		const fault = new MaxunFault('Gone', '', { status: 404, missingRoute: true, transient: true });
		const { notFound, transient, any } = named;
		expect(await recover(failing(fault), { notFound, any })).toBe('not found');
		expect(await recover(failing(fault), { transient, any })).toBe('transient');
		expect(await recover(failing(fault), { any })).toBe('any');
	});

	it('passes the fault to the handler', async () => {
		const fault = new MaxunFault('What happened', 'What to do');
		expect(await recover(failing(fault), { any: async (given) => given })).toBe(fault);
	});

	it('throws a fault without a handler', async () => {
		const fault = new MaxunFault('Refused', '', { status: 409 });
		const { any: _, ...others } = named;
		await expect(recover(failing(fault), others)).rejects.toBe(fault);
		await expect(recover(failing(fault), {})).rejects.toBe(fault);
	});

	it('throws what a handler throws', async () => {
		const other = new Error('other');
		const handlers = {
			any: () => {
				throw other;
			},
		};
		await expect(recover(failing(new MaxunFault('a', 'b')), handlers)).rejects.toBe(other);
	});

	it.each([new Error('The execution was cancelled'), 'text', undefined])(
		'throws other errors, whatever the handlers: %s',
		async (reason) => {
			await expect(recover(failing(reason), named)).rejects.toBe(reason);
		},
	);
});

describe('faultOf', () => {
	it('returns the fault of work as a value, and undefined if the work succeeds', async () => {
		const fault = new MaxunFault('What happened', 'What to do');
		expect(await faultOf(failing(fault))).toBe(fault);
		expect(await faultOf(Promise.resolve('value'))).toBeUndefined();
	});

	it('throws other errors', async () => {
		await expect(faultOf(failing(new Error('no fault')))).rejects.toThrow('no fault');
	});
});
