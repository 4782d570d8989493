import { NodeOperationError } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { messageForModel } from '../../nodes/Maxun/execution/modelMessage';
import { MaxunFault } from '../../nodes/Maxun/http/fault';
import { NODE } from './fakeServer.mts';

const read = (fault: MaxunFault) =>
	messageForModel(fault, new NodeOperationError(NODE, fault.message));

describe('what a model reads about a fault', () => {
	const fault = new MaxunFault('The run took too long', 'Increase Timeout (Minutes)', {
		reason: 'No free browser',
		forModel: 'Tell the user',
	});

	it("contains the advice for a model instead of the node's settings", () => {
		expect(read(fault)).toBe('The run took too long. Maxun says: No free browser. Tell the user');
	});

	it('contains what is added later', () => {
		const later = fault.adding('The run ended').adding('A robot is left');
		expect(read(later)).toMatch(/Tell the user\. The run ended\. A robot is left$/);
	});

	it('contains the description if there is no other advice', () => {
		expect(read(new MaxunFault('It failed', 'Reword the prompt'))).toBe(
			'It failed. Reword the prompt',
		);
	});
});
