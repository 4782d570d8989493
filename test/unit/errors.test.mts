import { NodeOperationError } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { toNodeError } from '../../nodes/Maxun/http/nodeError';
import { MaxunFault } from '../../nodes/Maxun/http/fault';
import { NODE } from './fakeServer.mts';

describe("n8n's error", () => {
	it.each(['ECONNREFUSED', 'EPERM', 'ETIMEDOUT', 'SupERMarket 404'])(
		"keeps a message in which n8n finds an error code: '%s'",
		(word) => {
			const error = toNodeError(NODE, new MaxunFault(`Robot '${word}' is gone`, 'x'), 0);
			expect(error.message).toBe(`Robot '${word}' is gone`);
		},
	);

	it('is the same object if n8n created it, and gets the item', () => {
		const original = new NodeOperationError(NODE, 'Known');
		expect(toNodeError(NODE, original, 1)).toBe(original);
		expect(original.context.itemIndex).toBe(1);
	});

	it('is made from anything that was thrown', () => {
		expect(toNodeError(NODE, new TypeError('x is not a function'), 0).message).toContain(
			'x is not',
		);
		expect(toNodeError(NODE, 'text', 0).message).toBe('text');
	});
});
