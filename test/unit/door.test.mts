import { describe, expect, it } from 'vitest';
import { cut, firstLine, looksLike, textOfHtml, valueIn } from '../../nodes/Maxun/http/text';

describe('texts for people', () => {
	it('are in one line, without half or invisible characters', () => {
		expect(looksLike(' a\n\u200b b\ud83d \ufeff')).toBe('a b\ufffd');
		expect(cut('ab\ud83d\ude00', 3)).toBe('ab');
	});

	it('contain neither style sheets nor scripts', () => {
		const page =
			'<title>502</title><style>a{b:c}</style><SCRIPT src=x>d()</SCRIPT><p>Bad &lt; gateway</p>';
		expect(looksLike(textOfHtml(page))).toBe('502 Bad &lt; gateway');
	});

	it.each([
		['Timeout\n    at a (b.js:1)', 'Timeout'],
		['No page at all', 'No page at all'],
		['Failed at step (1)', 'Failed'],
		['\n\n First \n second', 'First'],
	])('the first line of %j is %j', (text, line) => {
		expect(firstLine(text)).toBe(line);
	});

	it('a value that is too long becomes empty', () => {
		expect(valueIn(`1${' '.repeat(200)}`)).toBe('');
		expect(valueIn('$19 \n  99')).toBe('$19\n99');
		expect(valueIn(5)).toBe(5);
	});
});
