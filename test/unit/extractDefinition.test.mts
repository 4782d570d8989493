import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { definitionFields, extractAdditionalFields } from '../../nodes/Maxun/fields/extract';
import { checkDefinition, definitionOf } from '../../nodes/Maxun/fields/extractDefinition';
import { schemaOf } from '../../nodes/Maxun/fields/field';
import { withRule } from '../../nodes/Maxun/fields/parameters';
import { urlField } from '../../nodes/Maxun/fields/robots';
import { rowProblem, selectorProblem } from '../../nodes/Maxun/servers/sdk/selector';

const form = [urlField, ...definitionFields(), extractAdditionalFields()];
const schema = withRule(schemaOf(form), checkDefinition);
const URL = 'https://example.com/';
const WHOLE = { url: URL, specifyFields: 'fields' };
const parse = (given: object) => definitionOf(schema.parse({ ...WHOLE, ...given }));

describe("a robot's description", () => {
	const fields = [{ name: 'A', selector: 'a', returnValue: 'link' }];
	const lists = [{ name: 'L', rowSelector: 'li', columns: [{ name: 'B', selector: 'b' }] }];
	const expected = {
		url: URL,
		startUrl: undefined,
		isChecked: true,
		fields: [{ name: 'A', selector: 'a', attribute: 'href' }],
		lists: [
			{
				name: 'L',
				rowSelector: 'li',
				rowLimit: 100,
				pagination: 'none',
				paginationSelector: undefined,
				columns: [{ name: 'B', selector: 'b', attribute: 'innerText' }],
			},
		],
		steps: [{ action: 'scroll', screens: 2 }],
	};
	const steps = [{ action: 'scroll', screens: '2' }];

	it('the form, lists and JSON describe the same robot', () => {
		const form = {
			fields: { values: fields },
			lists: {
				values: lists.map((list) => ({ ...list, columns: { values: list.columns } })),
			},
			steps: { values: steps },
		};
		expect(parse(form)).toEqual(expected);
		expect(parse({ fields, lists, steps })).toEqual(expected);
		const json = { fields, lists, steps };
		expect(parse({ specifyFields: 'json', json })).toEqual(expected);
		expect(parse({ specifyFields: 'json', json: JSON.stringify(json) })).toEqual(expected);
	});

	it('empty collections are empty lists', () => {
		const { steps: none, lists: others } = parse({ fields, lists: {}, steps: {} });
		expect([none, others]).toEqual([[], []]);
	});

	it('any JSON is read, or rejected with a message', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.jsonValue(), (given, other) => {
				const json = JSON.stringify({ fields: given, lists: other });
				const { success, error } = schema.safeParse({ url: URL, specifyFields: 'json', json });
				if (!success) for (const { message } of error.issues) expect(message).not.toBe('');
			}),
		);
	});
});

describe('problems of a description', () => {
	const messagesOf = (given: object) =>
		(schema.safeParse({ ...WHOLE, ...given }).error?.issues ?? []).map(({ message }) => message);
	const json = (given: object | string) => messagesOf({ specifyFields: 'json', json: given });
	const capture = { name: 'A', selector: 'a' };

	it.each(['#main > li a', 'body > div a', 'html body a', '#list a'])(
		'the column selector %s starts from the top of the page',
		(selector) => {
			const columns = [{ name: 'B', selector }];
			const lists = [{ name: 'L', rowSelector: 'li', columns }];
			expect(messagesOf({ lists })[0]).toContain('starts from the top of the page');
			expect(messagesOf({ fields: columns })).toEqual([]);
		},
	);

	it.each(['#price', 'a.name', 'body-text b', '.html > a', '.price:first-of-type', 'a:hover'])(
		'the column selector %s is accepted',
		(selector) => {
			const columns = [{ name: 'B', selector }];
			expect(messagesOf({ lists: [{ name: 'L', rowSelector: 'li', columns }] })).toEqual([]);
		},
	);

	it('the error for JSON with unknown settings lists them', () => {
		expect(json({ fields: [{ ...capture, selctor: 'b' }] })).toEqual([
			"must not contain 'selctor' in a field. Use name, selector, returnValue, attribute",
		]);
		const columns = [{ ...capture, kind: 'number' }];
		expect(json({ lists: [{ name: 'L', rowSelector: 'li', limit: 5, columns }] })).toEqual([
			expect.stringContaining("must not contain 'limit' in a list"),
			expect.stringContaining("must not contain 'kind' in a column"),
		]);
	});

	it('an attribute without returnValue is the value to read', () => {
		const fields = [{ ...capture, attribute: 'data-sku' }];
		expect(parse({ fields }).fields[0]).toMatchObject({ attribute: 'data-sku' });
	});

	it.each([
		[null, 'is required'],
		[{}, 'must be text or a number'],
	])('the text %j causes a readable message', (text, message) => {
		const steps = [{ action: 'type', selector: '#a', text }];
		expect(json({ fields: [capture], steps })).toEqual([message]);
	});

	it('the error for invalid JSON does not repeat typed text', () => {
		const [message = ''] = json('{"steps": [{"text": "secret-word" oops}]}');
		expect(message).toMatch(/^is not valid JSON: /);
		expect(message).not.toMatch(/secret|oops/);
	});
});

describe('selectors', () => {
	it.each([
		'h1',
		'ul.list > li:nth-child(2) a[href^="/p"]',
		"//li[contains(@class, 'item')]",
		'a[title="it\'s"]',
		'.a\\(b',
		'p.md\\:text-lg',
		'div.dark\\:text-white > span',
		'[class*="md:text-lg"]',
		'a[href="https://example.com/#:~:text=desk"]',
	])('%s is a selector', (selector) => expect(selectorProblem(selector)).toBeUndefined());

	it.each(['li[', 'a[href="x]', ':is(li', 'a)', '<li>', 'https://example.com/', 'text=Next'])(
		'%s is not a selector',
		(selector) => expect(selectorProblem(selector)).toBeDefined(),
	);

	it.each(['//li | //article', '(//li|//article)'])('%s are not rows', (selector) =>
		expect(rowProblem(selector)).toContain('CSS with a comma'),
	);
});
