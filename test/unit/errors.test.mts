import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { faultOfAnswer, faultOfNetwork, wasNeverSent } from '../../nodes/Maxun/api/explain';
import { MaxunFault } from '../../nodes/Maxun/api/fault';
import { toNodeError } from '../../nodes/Maxun/core/errors';

const node: INode = {
	id: 'n',
	name: 'Maxun',
	type: 'n8n-nodes-maxun-robots.maxun',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

describe("n8n's error", () => {
	test('keeps message and description of a fault, and has status and item', () => {
		const fault = new MaxunFault('What happened', 'What to do', { status: 404 });
		const error = toNodeError(node, fault, 3);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'What happened',
			description: 'What to do',
			httpCode: '404',
			context: { itemIndex: 3 },
		});
	});

	test.each(['ECONNREFUSED', 'EPERM', 'ETIMEDOUT', 'SupERMarket 404'])(
		"keeps a message in which n8n finds a code: '%s'",
		(word) => {
			const error = toNodeError(node, new MaxunFault(`Robot '${word}' is gone`, 'x'), 0);
			expect(error.message).toBe(`Robot '${word}' is gone`);
		},
	);

	test('names fields as the editor does', () => {
		const schema = z.object({
			url: z.string().min(1, 'is required'),
			options: z.object({ timeout: z.number({ invalid_type_error: 'must be a number' }) }),
		});
		const { error: zodError } = schema.safeParse({ url: '', options: { timeout: 'x' } });
		const error = toNodeError(node, zodError, 2, [
			{ displayName: 'URL', name: 'url', type: 'string', default: '' },
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				default: {},
				options: [{ displayName: 'Timeout', name: 'timeout', type: 'number', default: 0 }],
			},
		]);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error.message).toBe('URL is required; Timeout must be a number');
		expect(error.context.itemIndex).toBe(2);
	});

	test('stays itself where it is one already, with the item', () => {
		const original = new NodeOperationError(node, 'Known');
		expect(toNodeError(node, original, 1)).toBe(original);
		expect(original.context.itemIndex).toBe(1);
	});

	test('is made of anything', () => {
		expect(toNodeError(node, new TypeError('x is not a function'), 0).message).toContain(
			'x is not',
		);
		expect(toNodeError(node, 'text', 0).message).toBe('text');
	});
});

describe('a fault', () => {
	test('loses a secret from all its words', () => {
		const fault = new MaxunFault('key K1 is bad', 'K1 and K1', { status: 403, transient: true });
		expect(fault.without('K1')).toMatchObject({
			message: 'key [API key] is bad',
			description: '[API key] and [API key]',
			status: 403,
			transient: true,
		});
		expect(fault.without('')).toBe(fault);
	});

	test('of the answer names what the request was about', () => {
		const answer = { status: 404, headers: {}, body: { success: false, error: 'Not found' } };
		const messageOf = (path: string) => faultOfAnswer(answer, { method: 'GET', path }).message;
		expect(messageOf('/robots/r%2F1')).toContain("robot 'r/1'");
		expect(messageOf('/robots/r1/webhooks/w1')).toMatch(/robot 'r1' or webhook 'w1'/);
		expect(messageOf('/runs/x1/cancel')).toContain("run 'x1'");
		expect(messageOf('/runs/active')).not.toContain('active');
	});

	test.each([429, 500, 502, 503, 504])('of status %i may pass', (status) => {
		const request = { method: 'GET' as const, path: '/me' };
		expect(faultOfAnswer({ status, headers: {}, body: '' }, request).transient).toBe(true);
	});

	test.each([400, 401, 402, 403, 404, 409, 301])('of status %i will not', (status) => {
		const request = { method: 'GET' as const, path: '/me' };
		expect(faultOfAnswer({ status, headers: {}, body: '' }, request).transient).toBe(false);
	});

	test('of the network names the address and the reason', () => {
		const fault = faultOfNetwork('ENOTFOUND', 'getaddrinfo', 'https://maxun.invalid/api/v1');
		expect(fault.description).toContain('https://maxun.invalid/api/v1');
		expect(fault.message).not.toContain('ENOTFOUND');
		expect(fault.transient).toBe(false);
		expect(faultOfNetwork('ECONNRESET', '', 'x').transient).toBe(true);
	});

	test('of a connection that never was leaves nothing done', () => {
		expect(wasNeverSent('ECONNREFUSED')).toBe(true);
		expect(wasNeverSent('ECONNRESET')).toBe(false);
		expect(wasNeverSent('ETIMEDOUT')).toBe(false);
	});
});
