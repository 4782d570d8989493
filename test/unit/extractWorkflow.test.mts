import { expect, it } from 'vitest';
import type { ExtractDefinition } from '../../nodes/Maxun/servers/definition';
import { simplerThan } from '../../nodes/Maxun/servers/sdk/selector';
import { draftOf } from '../../nodes/Maxun/servers/sdk/workflow';

const capture = (name: string, selector = 'a') => ({ name, selector, attribute: 'innerText' });

it('an input that appears after a click gets a type, because Maxun cannot look it up', () => {
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
	const typed = draftOf(definition, 'm')
		.flatMap(({ what }) => what)
		.filter(({ action }) => action === 'type');
	expect(typed.map(({ args }) => args)).toEqual([
		['#email', 'me'],
		['#password', 'secret', 'password'],
		['#code', '1', 'text'],
	]);
});

it.each([
	[
		'ul.list > li.Card__x1 a',
		[
			'ul.list > li.Card__x1',
			'ul.list > li[class*="Card" i]',
			'ul.list > li',
			'ul.list',
			'ul[class*="list" i]',
			'ul',
		],
	],
	['a[href*=", "]:not(.b, .c)', ['a[href*=", "]', 'a']],
	['li, .b', []],
	['> a', []],
	['.x', []],
	["//ul[@id='a']/li[2]", ["//ul[@id='a']/li", "//ul[@id='a']", '//ul']],
	['(//ul)[1]', []],
])('the simpler selectors for %s are %j', (selector, simpler) => {
	expect(simplerThan(selector)).toEqual(simpler);
});
