import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forModel } from '../../nodes/Maxun/execution/tool';

const MAX_TEXT = 200;

/** The part of an item that a model gets. */
const given = (json: object, allFields = true, maxText = MAX_TEXT) => {
	const item = { json: JSON.parse(JSON.stringify(json)) };
	return forModel([item], { maxText, allFields }).map((entry) => entry.json);
};

const numbered = (count: number, value: unknown) =>
	Object.fromEntries(Array.from({ length: count }, (_, index) => [`field ${index}`, value]));

describe('the whole result for a model is at most five times as long as one text', () => {
	it.each<[string, object]>([
		['many fields', numbered(100, 'x'.repeat(MAX_TEXT))],
		['many numbers', numbered(1000, 123_456)],
		['lists of numbers', numbered(20, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])],
		['named lists', numbered(50, [{ a: 'x'.repeat(50) }, { a: 'x'.repeat(50) }])],
		['one long list', { list: Array.from({ length: 60 }, () => 'x'.repeat(100)) }],
		['long names', { ['n'.repeat(5000)]: 1, b: 2 }],
		['deep objects', { a: { b: { c: { d: { e: numbered(100, 'x') } } } } }],
		['empty objects', { list: Array.from({ length: 1000 }, () => [{}]) }],
	])('with %s', (_, json) => {
		const result = given(json);
		expect(JSON.stringify(result).length).toBeLessThanOrEqual(5 * MAX_TEXT);
		expect(JSON.stringify(result)).toMatch(/more omitted\]/);
	});

	it('with any data', () => {
		const plain = fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'é'), maxLength: 600 });
		const { tree } = fc.letrec((tie) => ({
			tree: fc.oneof(
				{ maxDepth: 5 },
				plain,
				fc.integer(),
				fc.constant(null),
				fc.array(tie('tree'), { maxLength: 60 }),
				fc.dictionary(plain, tie('tree'), { maxKeys: 60 }),
			),
		}));
		fc.assert(
			fc.property(fc.dictionary(plain, tree, { maxKeys: 60 }), fc.boolean(), (json, allFields) => {
				const result = given(json, allFields);
				expect(JSON.stringify(result).length).toBeLessThanOrEqual(5 * MAX_TEXT);
			}),
		);
	});

	it('contains as much as fits', () => {
		const json = { id: 'r', list: [1, 'two', null, true, { a: [] }], text: 'x'.repeat(MAX_TEXT) };
		expect(given(json)).toEqual([json]);
	});
});

it('texts are cut between characters', () => {
	const [json] = given({ text: `${'x'.repeat(MAX_TEXT - 1)}😀 and more` });
	expect(json?.text).toBe(
		`${'x'.repeat(MAX_TEXT - 1)}… [truncated: ${MAX_TEXT - 1} of ${MAX_TEXT + 10} characters]`,
	);
});
