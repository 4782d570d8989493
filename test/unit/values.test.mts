import { expect, it } from 'vitest';
import { flagOf, isMissing, linkOf } from '../../nodes/Maxun/results/values';

const PAGE = 'https://shop.example/list/a?page=2';

it.each([
	['/p/1', PAGE, 'https://shop.example/p/1'],
	['p/1', PAGE, 'https://shop.example/list/p/1'],
	['?id=1', PAGE, 'https://shop.example/list/a?id=1'],
	['detail.html', PAGE, 'https://shop.example/list/detail.html'],
	['detail.php?id=1', PAGE, 'https://shop.example/list/detail.php?id=1'],
	['#reviews', PAGE, 'https://shop.example/list/a?page=2#reviews'],
	['www.example.com/x', PAGE, 'https://www.example.com/x'],
	['//cdn.example/x', undefined, 'https://cdn.example/x'],
	['mailto:me@shop.example', PAGE, 'mailto:me@shop.example'],
	['https://other.example/', undefined, 'https://other.example/'],
	['/p/1', undefined, null],
	['Sold out', PAGE, null],
	['soon', PAGE, null],
	['example.com/x', PAGE, null],
	['javascript:void(0)', PAGE, null],
	['24/7', PAGE, null],
	['AC/DC', PAGE, null],
	['and/or', PAGE, null],
	['C#', PAGE, null],
	['#1', PAGE, null],
	['Really?', PAGE, null],
	['/ month', PAGE, null],
	['/kg incl. VAT', PAGE, null],
	['https://a.example/ https://b.example/', PAGE, null],
	['Oak desk.html', PAGE, 'https://shop.example/list/Oak%20desk.html'],
	['/Oak desk.pdf', PAGE, 'https://shop.example/Oak%20desk.pdf'],
	['/p/oak desk', PAGE, 'https://shop.example/p/oak%20desk'],
	['https://shop.example/my file.pdf', undefined, 'https://shop.example/my%20file.pdf'],
	['desks/oak-desk', PAGE, 'https://shop.example/list/desks/oak-desk'],
	['tel:+49 30 123', PAGE, 'tel:+49%2030%20123'],
	['#', PAGE, null],
])('the link %j on %j is %j', (link, base, expected) => {
	expect(linkOf(link, base)).toBe(expected);
});

it.each([
	['Yes', true],
	['true', true],
	[1, true],
	['Ja', true],
	['✓', true],
	['0', false],
	['no', false],
	['Nein', false],
	['maybe', null],
])('%j is %j', (value, expected) => {
	expect(flagOf()(value)).toBe(expected);
});

it("the user's words for true or false come first", () => {
	const read = flagOf(['In stock', 'no'], ['Sold  out']);
	const flags = ['in stock', 'No', 'Sold out', 'yes', 'Soon'].map(read);
	expect(flags).toEqual([true, true, false, true, null]);
});

const INVISIBLE = '\u200b\u00ad ';
it.each(['', ' ', 'N/A', 'n.a.', '-', '—', '…', 'TBA', null, INVISIBLE, [], [' ', { a: null }]])(
	'%j is a missing value',
	(value) => {
		expect(isMissing(value)).toBe(true);
	},
);

it.each(['0', 'no', '-1', 'nano', 0])('%j is not a missing value', (value) => {
	expect(isMissing(value)).toBe(false);
});
