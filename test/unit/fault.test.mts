import { describe, expect, it } from 'vitest';
import { MaxunFault, recover } from '../../nodes/Maxun/http/fault';
import { faultOfNetwork, faultOfResponse } from '../../nodes/Maxun/http/responseFaults';
import { cloud } from '../../nodes/Maxun/servers/cloud';
import { selfHostedProtocol } from '../../nodes/Maxun/servers/selfHosted/explain';

const failing = async (reason: unknown): Promise<string> => await Promise.reject(reason);

const READ = { method: 'GET' as const, path: '/robots/r1' };
const START = { method: 'POST' as const, path: '/robots/r1/runs' };

const OWN = { success: false, error: 'Not possible' };
const OTHER_OWN = [
	OWN,
	{ error: 'API key is missing' },
	{ ok: false, error: 'Unauthorized' },
	{ statusCode: 404, messageCode: 'not_found', message: 'No' },
];
const PAGE = '<html><body>Please sign in</body></html>';
/** A page, nothing, JSON of a gateway, JSON without words, a list. */
const FOREIGN = [PAGE, '', { message: 'no Route matched with those values' }, { error: null }, []];

const PROTOCOLS = { cloud: cloud.protocol, selfHosted: selfHostedProtocol };
type Kind = keyof typeof PROTOCOLS;
type Request = Parameters<typeof faultOfResponse>[1];

const faultOn = (kind: Kind, status: number, body: unknown, request: Request = READ) =>
	faultOfResponse({ status, headers: {}, body }, request, PROTOCOLS[kind]);

it('a fault keeps its class and all details if a sentence is added', () => {
	class SpecialFault extends MaxunFault {}
	const details = { status: 403, isMaxuns: true, notProcessed: true, mayHaveHappened: true };
	const fault = new SpecialFault('It stopped', 'Try it', details);
	const changed = fault.adding('More');
	expect(changed).toBeInstanceOf(SpecialFault);
	expect(changed).toMatchObject({ name: 'MaxunFault', message: 'It stopped', ...details });
	expect(changed.description).toBe('Try it. More');
	expect(fault.description).toBe('Try it');
});

const UNCLEAR = [408, 500, 502, 503, 504, 520, 521, 522, 523, 524];
const REJECTIONS = [400, 401, 402, 403, 404, 409];
const LASTING = { isMaxuns: true, temporary: false, momentary: false };
const PASSING = { isMaxuns: false, temporary: true };
const LIMITED = { notProcessed: true, mayHaveHappened: false };
const MISSING = { missingRoute: true, isMaxuns: false, mayHaveHappened: false };
const HAPPENED = { mayHaveHappened: true, notProcessed: false };
const NOT_HAPPENED = { mayHaveHappened: false, notProcessed: false };

describe("a response's fault", () => {
	it.each([
		['/robots/r%2F1', /robot 'r\/1'/],
		['/robots/r1/webhooks/w1', /robot 'r1' or webhook 'w1'/],
		['/runs/x1/cancel', /run 'x1'/],
		['/runs/active', /^(?!.*active)/],
	])("mentions the request's subject: %s", (path, words) => {
		expect(faultOn('cloud', 404, OWN, { method: 'GET', path }).message).toMatch(words);
	});

	const KINDS: Kind[] = ['cloud', 'selfHosted'];
	const [NO_DATABASE, NO_ROUTE] = [
		{ error: 'Authentication service temporarily unavailable' },
		'<!DOCTYPE html><html><body><pre>Cannot POST /api/robots/r1/runs</pre></body></html>',
	];
	const ELSEWHERE = ['', PAGE, '404 page not found', { message: 'no Route matched' }];
	const OTHER_STATUSES = [302, 400, 401, 403, 404, 407];
	const NOT_MISSING = {
		...{ missingRoute: false, isMaxuns: false },
		message: expect.not.stringContaining('could not find'),
	};

	it.each<[string, Kind[], number[], unknown[], Request, object]>([
		["is lasting if it is Maxun's own", KINDS, [404], OTHER_OWN, READ, LASTING],
		["is lasting if it is Maxun's own", ['cloud'], REJECTIONS, [OWN], READ, LASTING],
		[
			"is not Maxun's own, so waiting continues",
			KINDS,
			[...OTHER_STATUSES, 502],
			FOREIGN,
			READ,
			PASSING,
		],
		['is temporary', ['cloud'], [429, ...UNCLEAR], [OWN], READ, { temporary: true }],
		['says that a start may have happened', ['cloud'], UNCLEAR, [OWN, PAGE, ''], START, HAPPENED],
		['says that a read changes nothing', ['cloud'], UNCLEAR, [OWN], READ, NOT_HAPPENED],
		[
			'says that something else responded to a start',
			KINDS,
			OTHER_STATUSES,
			[PAGE],
			START,
			HAPPENED,
		],
		['says that a start did not happen', ['cloud'], REJECTIONS, [OWN], START, NOT_HAPPENED],
		[
			'says that a request beyond the rate limit was not processed',
			['cloud'],
			[429],
			[OWN],
			START,
			LIMITED,
		],
		[
			'says that a server without its database started nothing',
			['selfHosted'],
			[503],
			[NO_DATABASE],
			START,
			{ mayHaveHappened: false },
		],
		['says that a proxy is not the server', ['selfHosted'], [503, 504], [PAGE], START, HAPPENED],
		['says that a server has no such route', ['selfHosted'], [404], [NO_ROUTE], START, MISSING],
		['does not say that the robot is missing', ['selfHosted'], [404], ELSEWHERE, READ, NOT_MISSING],
	])('%s: %j, %j, %j', (_, kinds, statuses, bodies, request, expected) => {
		for (const kind of kinds) {
			for (const status of statuses) {
				for (const body of bodies) {
					const fault = faultOn(kind, status, body, request);
					expect({ status, body, ...fault, message: fault.message }).toMatchObject(expected);
					const words = 'may have processed the request';
					expect(fault.description.includes(words)).toBe(fault.mayHaveHappened);
				}
			}
		}
	});
});

describe('a network fault', () => {
	const network = (code: string, request: Request = START) =>
		faultOfNetwork(code, 'words of the network', 'https://maxun.invalid/api/v1', request);
	const NOT_SENT = { notProcessed: true, mayHaveHappened: false, temporary: true };

	it.each([
		['ENOTFOUND', /https:\/\/maxun\.invalid\/api\/v1/],
		['SsrfBlockedIpError', /N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES/],
		['SsrfBlockedHostnameError', /N8N_SSRF_ALLOWED_HOSTNAMES.*N8N_SSRF_BLOCKED_HOSTNAMES/],
		['EPROTO', /secure connection.*https:\/\/.*words of the network/],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /does not trust the server's certificate/],
	])('says what to check: %s', (code, settings) => {
		expect(network(code).description).toMatch(settings);
		expect(network(code).message).not.toContain(code);
	});

	it.each(['ECONNREFUSED', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])(
		'says that nothing was sent, and that a retry may help: %s',
		(code) => expect(network(code)).toMatchObject({ ...NOT_SENT, momentary: true }),
	);

	it.each([
		...['ENOTFOUND', 'ERR_INVALID_URL', 'SsrfBlockedIpError', 'SsrfBlockedHostnameError'],
		...['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'],
		...['ERR_TLS_CERT_ALTNAME_INVALID', 'CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
		...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
	])('says at once that nothing was sent: %s', (code) =>
		expect(network(code)).toMatchObject({ ...NOT_SENT, momentary: false }),
	);

	it.each(['ECONNRESET', 'ETIMEDOUT', 'ECONNABORTED', 'ERR_BAD_RESPONSE', 'EPIPE', ''])(
		"says that a start may have happened: '%s'",
		(code) => {
			expect(network(code)).toMatchObject(HAPPENED);
			expect(network(code, READ)).toMatchObject({ mayHaveHappened: false, momentary: true });
		},
	);
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

	it('throws a fault that has no handler', async () => {
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

it('two sentences never have two full stops between them', () => {
	const fault = new MaxunFault('Maxun says: It failed.', 'Nobody knows the page...', {
		forModel: 'Stop.',
	});
	expect(fault.text).toBe('Maxun says: It failed. Nobody knows the page');
	expect(fault.adding('Check it').description).toBe('Nobody knows the page. Check it');
	expect(fault.adding('Check it').forModel).toBe('Stop. Check it');
});
