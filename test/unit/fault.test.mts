import { describe, expect, it } from 'vitest';
import { MaxunFault, recover } from '../../nodes/Maxun/http/fault';
import { faultOfNetwork, faultOfResponse } from '../../nodes/Maxun/http/responseFaults';
import { cloudProtocol } from '../../nodes/Maxun/servers/cloud/protocol';
import { selfHostedProtocol } from '../../nodes/Maxun/servers/selfHosted/protocol';

const failing = async (reason: unknown): Promise<string> => await Promise.reject(reason);

const READ = { method: 'GET' as const, path: '/robots/r1' };
const START = { method: 'POST' as const, path: '/robots/r1/runs' };

const OWN = { success: false, error: 'Not possible' };
const PAGE = '<html><body>Please sign in</body></html>';

const cloudFault = (status: number, body: unknown, request: typeof READ | typeof START = READ) =>
	faultOfResponse({ status, headers: {}, body }, request, cloudProtocol);

const selfHostedFault = (
	status: number,
	body: unknown,
	request: typeof READ | typeof START = READ,
) => faultOfResponse({ status, headers: {}, body }, request, selfHostedProtocol);

describe('a fault', () => {
	it('keeps its class and all details if a sentence is added', () => {
		class SpecialFault extends MaxunFault {}
		const details = { status: 403, isMaxuns: true, notProcessed: true, mayHaveHappened: true };
		const fault = new SpecialFault('It stopped', 'Try it', details);
		const changed = fault.adding('More');
		expect(changed).toBeInstanceOf(SpecialFault);
		expect(changed).toMatchObject({ name: 'MaxunFault', message: 'It stopped', ...details });
		expect(changed.description).toBe('Try it. More');
		expect(fault.description).toBe('Try it');
	});
});

describe("a response's fault", () => {
	it("mentions the request's subject", () => {
		const messageFor = (path: string) =>
			faultOfResponse(
				{ status: 404, headers: {}, body: OWN },
				{ method: 'GET', path },
				cloudProtocol,
			).message;
		expect(messageFor('/robots/r%2F1')).toContain("robot 'r/1'");
		expect(messageFor('/robots/r1/webhooks/w1')).toMatch(/robot 'r1' or webhook 'w1'/);
		expect(messageFor('/runs/x1/cancel')).toContain("run 'x1'");
		expect(messageFor('/runs/active')).not.toContain('active');
	});

	it.each<[string, unknown]>([
		['{success, error}', OWN],
		['{error}', { error: 'API key is missing' }],
		['{ok, error}', { ok: false, error: 'Unauthorized' }],
		[
			'{statusCode, messageCode, message}',
			{ statusCode: 404, messageCode: 'not_found', message: 'No' },
		],
	])("is Maxun's own if the body is %s", (_, body) => {
		expect(cloudFault(404, body)).toMatchObject({ isMaxuns: true, temporary: false });
		expect(selfHostedFault(404, body)).toMatchObject({ isMaxuns: true, temporary: false });
	});

	it.each<[string, unknown]>([
		['a page', PAGE],
		['nothing', ''],
		['JSON of a gateway', { message: 'no Route matched with those values' }],
		['JSON without words', { error: null }],
		['a list', []],
	])("is not Maxun's own if the body is %s, so waiting continues", (_, body) => {
		for (const status of [302, 400, 401, 403, 404, 407, 502]) {
			expect(cloudFault(status, body)).toMatchObject({ isMaxuns: false, temporary: true });
			expect(selfHostedFault(status, body)).toMatchObject({ isMaxuns: false, temporary: true });
		}
	});

	it.each([429, 500, 502, 503, 504, 520, 524, 408])(
		'is temporary if the status is %i',
		(status) => {
			expect(cloudFault(status, OWN).temporary).toBe(true);
		},
	);

	it.each([400, 401, 402, 403, 404, 409])(
		"is lasting if it is Maxun's own with status %i",
		(status) => {
			expect(cloudFault(status, OWN)).toMatchObject({ temporary: false, momentary: false });
		},
	);

	it.each([408, 500, 502, 503, 504, 520, 521, 522, 523, 524])(
		'says that a start may have happened if the status is %i',
		(status) => {
			for (const body of [OWN, PAGE, '']) {
				expect(cloudFault(status, body, START)).toMatchObject({
					mayHaveHappened: true,
					notProcessed: false,
					description: expect.stringContaining('may have processed the request'),
				});
			}
			expect(cloudFault(status, OWN).mayHaveHappened).toBe(false);
		},
	);

	it.each([302, 400, 401, 403, 404, 407])(
		'says that a start may have happened if something else responded with status %i',
		(status) => {
			expect(cloudFault(status, PAGE, START).mayHaveHappened).toBe(true);
			expect(selfHostedFault(status, PAGE, START).mayHaveHappened).toBe(true);
		},
	);

	it.each([400, 401, 402, 403, 404, 409])(
		'says that a start did not happen if Maxun rejected it with status %i',
		(status) => {
			expect(cloudFault(status, OWN, START)).toMatchObject({
				mayHaveHappened: false,
				notProcessed: false,
			});
		},
	);

	it('says that a request beyond the rate limit was not processed', () => {
		expect(cloudFault(429, OWN, START)).toMatchObject({
			notProcessed: true,
			mayHaveHappened: false,
		});
	});

	it('of a self-hosted server whose database is down says that nothing was started', () => {
		const body = { error: 'Authentication service temporarily unavailable' };
		expect(selfHostedFault(503, body, START)).toMatchObject({ mayHaveHappened: false });
		expect(selfHostedFault(503, PAGE, START)).toMatchObject({ mayHaveHappened: true });
	});

	it('of a self-hosted server without the route does not mean that the robot is missing', () => {
		const express =
			'<!DOCTYPE html><html><body><pre>Cannot POST /api/robots/r1/runs</pre></body></html>';
		expect(selfHostedFault(404, express, START)).toMatchObject({
			missingRoute: true,
			isMaxuns: false,
			mayHaveHappened: false,
		});
		for (const body of ['', PAGE, '404 page not found', { message: 'no Route matched' }]) {
			const fault = selfHostedFault(404, body);
			expect(fault).toMatchObject({ missingRoute: false, isMaxuns: false });
			expect(fault.message).not.toContain('could not find');
		}
	});
});

describe('a network fault', () => {
	const network = (code: string, request: typeof READ | typeof START = START) =>
		faultOfNetwork(code, 'words of the network', 'https://maxun.invalid/api/v1', request);

	it('mentions the URL and the reason', () => {
		const fault = network('ENOTFOUND');
		expect(fault.description).toContain('https://maxun.invalid/api/v1');
		expect(fault.message).not.toContain('ENOTFOUND');
	});

	it.each(['ECONNREFUSED', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])(
		'says that nothing was sent, and that a retry may help: %s',
		(code) => {
			expect(network(code)).toMatchObject({
				notProcessed: true,
				mayHaveHappened: false,
				temporary: true,
				momentary: true,
			});
		},
	);

	it.each([
		'ENOTFOUND',
		'ERR_INVALID_URL',
		'SsrfBlockedIpError',
		'SsrfBlockedHostnameError',
		'EPROTO',
		'ERR_SSL_WRONG_VERSION_NUMBER',
		'ERR_SSL_PACKET_LENGTH_TOO_LONG',
		'ERR_TLS_CERT_ALTNAME_INVALID',
		'CERT_HAS_EXPIRED',
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	])('says at once that nothing was sent: %s', (code) => {
		expect(network(code)).toMatchObject({
			notProcessed: true,
			mayHaveHappened: false,
			temporary: true,
			momentary: false,
		});
	});

	it.each(['ECONNRESET', 'ETIMEDOUT', 'ECONNABORTED', 'ERR_BAD_RESPONSE', 'EPIPE', ''])(
		"says that a start may have happened: '%s'",
		(code) => {
			expect(network(code)).toMatchObject({ notProcessed: false, mayHaveHappened: true });
			expect(network(code, READ)).toMatchObject({ mayHaveHappened: false, momentary: true });
		},
	);

	it.each([
		['SsrfBlockedIpError', /N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES/],
		['SsrfBlockedHostnameError', /N8N_SSRF_ALLOWED_HOSTNAMES.*N8N_SSRF_BLOCKED_HOSTNAMES/],
		['EPROTO', /secure connection.*https:\/\/.*words of the network/],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /does not trust the server's certificate/],
	])('says what to check: %s', (code, settings) => {
		expect(network(code).description).toMatch(settings);
	});
});

describe('recover', () => {
	const named = {
		missingRoute: () => 'missing route',
		notFound: () => 'not found',
		forbidden: () => 'forbidden',
		mayHaveHappened: () => 'may have happened',
		temporary: () => 'temporary',
		any: () => 'any',
	};
	const both = { mayHaveHappened: true, temporary: true };

	it('returns the value of work that succeeds', async () => {
		expect(await recover(Promise.resolve('value'), named)).toBe('value');
	});

	it.each<[string, ConstructorParameters<typeof MaxunFault>[2]]>([
		['missing route', { missingRoute: true, status: 404, ...both }],
		['not found', { status: 404, isMaxuns: true, ...both }],
		['may have happened', { status: 404, isMaxuns: false, ...both }],
		['forbidden', { status: 403, isMaxuns: true, ...both }],
		['temporary', { status: 403, isMaxuns: false, temporary: true }],
		['may have happened', { status: 502, ...both }],
		['temporary', { status: 500, temporary: true }],
		['any', { status: 400 }],
	])("calls the most specific handler: '%s'", async (handler, details) => {
		const fault = new MaxunFault('What happened', 'What to do', details);
		expect(await recover(failing(fault), named)).toBe(handler);
	});

	it('throws a fault without a handler', async () => {
		const fault = new MaxunFault('Refused', '', { status: 409 });
		const { any: _, ...others } = named;
		await expect(recover(failing(fault), others)).rejects.toBe(fault);
		await expect(recover(failing(fault), {})).rejects.toBe(fault);
	});

	it.each([new Error('The execution was canceled'), 'text', undefined])(
		'throws other errors, whatever the handlers: %s',
		async (reason) => {
			await expect(recover(failing(reason), named)).rejects.toBe(reason);
		},
	);
});
