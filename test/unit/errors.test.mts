import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toNodeError } from '../../nodes/Maxun/engine/errors';
import { mustBe } from '../../nodes/Maxun/fields/parameters';
import { MaxunFault } from '../../nodes/Maxun/http/fault';

const node: INode = {
	id: 'n',
	name: 'Maxun',
	type: 'n8n-nodes-maxun-robots.maxun',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

describe("n8n's error", () => {
	it("keeps a fault's message and description, and adds its status and item", () => {
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

	it.each(['ECONNREFUSED', 'EPERM', 'ETIMEDOUT', 'SupERMarket 404'])(
		"keeps a message in which n8n finds an error code: '%s'",
		(word) => {
			const error = toNodeError(node, new MaxunFault(`Robot '${word}' is gone`, 'x'), 0);
			expect(error.message).toBe(`Robot '${word}' is gone`);
		},
	);

	it('names fields as the editor does', () => {
		const schema = z.object({
			url: z.string().min(1, 'is required'),
			options: z.object({ timeout: z.number(mustBe('must be a number')) }),
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
		expect(error.message).toBe("'URL' is required; 'Timeout' must be a number");
		expect(error.context.itemIndex).toBe(2);
	});

	it('stays the same object if n8n created it, and gets the item', () => {
		const original = new NodeOperationError(node, 'Known');
		expect(toNodeError(node, original, 1)).toBe(original);
		expect(original.context.itemIndex).toBe(1);
	});

	it('is made from anything that was thrown', () => {
		expect(toNodeError(node, new TypeError('x is not a function'), 0).message).toContain(
			'x is not',
		);
		expect(toNodeError(node, 'text', 0).message).toBe('text');
	});
});
