import { describe, expect, it } from 'vitest';
import { MaxunFault } from '../../nodes/Maxun/http/fault';
import type { ExtractDefinition } from '../../nodes/Maxun/servers/definition';
import { explainRefusal } from '../../nodes/Maxun/servers/sdk/refusal';
import { draftOf } from '../../nodes/Maxun/servers/sdk/workflow';

const capture = (name: string, selector = 'a') => ({ name, selector, attribute: 'innerText' });

describe('steps that type', () => {
	const definition: ExtractDefinition = {
		url: 'https://example.com/',
		isChecked: true,
		fields: [capture('Say "hi"')],
		lists: [],
		steps: [
			{ action: 'type', selector: '#email', text: 'me' },
			{ action: 'click', selector: 'button' },
			{ action: 'type', selector: '#password', text: 'secret' },
			{ action: 'type', selector: '#code', text: '1' },
		],
	};

	it('an input behind a click gets its type, because Maxun cannot look it up', () => {
		const typed = draftOf(definition, 'm')
			.flatMap(({ what }) => what)
			.filter(({ action }) => action === 'type');
		expect(typed.map(({ args }) => args)).toEqual([
			['#email', 'me'],
			['#password', 'secret', 'password'],
			['#code', '1', 'text'],
		]);
	});

	const refused = (words: string) =>
		explainRefusal(
			new MaxunFault('Refused', '', {
				status: 400,
				reason: `Workflow validation failed: ${words}`,
			}),
			'R',
			definition,
		).message;

	it('a refusal mentions the number of the step, and a name with quotation marks', () => {
		expect(refused('type action: Selector "#password" did not match')).toContain(
			"step 3, 'Type Text'",
		);
		expect(refused('Field "Say "hi"": Selector "a" did not match')).toContain(`'Say "hi"'`);
	});
});
