import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import type { Part } from '../../nodes/Maxun/results/captured';
import { contactsOf } from '../../nodes/Maxun/results/contacts';

const RUN = { id: 'r', status: 'success' };
const URL_OF_PAGE = 'https://firm.example/contact';
const hints: string[] = [];

async function contactsIn(
	rows: IDataObject[],
	kind: Part['kind'] = 'pages',
): Promise<IDataObject[]> {
	const captured = { run: RUN, data: {}, parts: [{ kind, list: '', rows }], lists: [], unread: [] };
	hints.length = 0;
	const hint = (message: string) => hints.push(message);
	return await contactsOf(captured, URL_OF_PAGE, hint, async () => {});
}

const pageOf = (text: string) => (/<[a-z]+[ >]/.test(text) ? { html: text } : { markdown: text });

async function shortly(text: string): Promise<string[]> {
	const found = await contactsIn([pageOf(text)]);
	return found.map(({ type, value }) => `${String(type)} ${String(value)}`);
}

const [, found = '', none = ''] = readFileSync(
	new URL('./contacts.txt', import.meta.url),
	'utf8',
).split(/^## .*\n/m);
const linesOf = (text: string) => text.trimEnd().split('\n');
const withBreaks = (text: string) => text.replaceAll('⏎', '\n');
const FOUND = linesOf(found).map((line) => {
	const [text = '', contacts = ''] = line.split(' => ');
	return { text: withBreaks(text), contacts: contacts.split(' | ') };
});
const NONE = linesOf(none).map(withBreaks);

describe('contacts', () => {
	it('have many examples', () => {
		expect(FOUND.length).toBeGreaterThan(60);
		expect(NONE.length).toBeGreaterThan(60);
	});

	it.each(FOUND)('are found in $text', async ({ text, contacts }) => {
		expect(await shortly(text)).toEqual(contacts);
	});

	it.each(NONE)('are not found in %s', async (text) => {
		expect(await shortly(text)).toEqual([]);
	});

	it('in links of a page are also found in a list of links', async () => {
		const links = ['https://firm.example/', 'https://x.com/firm', 'https://twitter.com/share'];
		expect(await contactsIn([{ url: URL_OF_PAGE, links }])).toEqual([
			{ type: 'x', value: 'https://x.com/firm', url: URL_OF_PAGE },
		]);
	});

	it('are returned once, with the page where they were found first', async () => {
		const pages = ['/', '/contact', '/imprint'].map((path) => ({
			url: `https://firm.example${path}`,
			html: `<p>${path === '/' ? '' : 'Info@firm.example'} Tel. 030 2234567</p>
				<a href="https://facebook.com/${path === '/' ? 'Firm' : 'firm'}">Facebook</a>
				${path === '/imprint' ? '<a href="tel:+49302234567">Call</a> <p>+48 30 2234567</p>' : ''}`,
		}));
		expect(await contactsIn(pages)).toEqual([
			{ type: 'phone', value: '+49302234567', url: 'https://firm.example/' },
			{ type: 'facebook', value: 'https://facebook.com/Firm', url: 'https://firm.example/' },
			{ type: 'email', value: 'info@firm.example', url: 'https://firm.example/contact' },
			{ type: 'phone', value: '+48302234567', url: 'https://firm.example/imprint' },
		]);
	});

	it('are also found in the columns of rows, whose names are labels', async () => {
		const rows = [{ name: 'Firm', phone: '030 2234567', number: '030 2234568', url: '/firm' }];
		expect(await contactsIn(rows, 'rows')).toEqual([
			{ type: 'phone', value: '0302234567', url: URL_OF_PAGE },
		]);
		expect(hints).toEqual([]);
	});

	it('of a page without HTML come with a hint', async () => {
		await contactsIn([{ markdown: 'Hello' }]);
		expect(hints.join()).toContain("Add 'HTML'");
	});

	it('of any text have a type and a value', async () => {
		const piece = fc.oneof(
			fc.string({ unit: 'grapheme' }),
			fc.constantFrom(...FOUND.map(({ text }) => text)),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(piece), async (pieces) => {
				for (const text of await shortly(pieces.join(' '))) expect(text).toMatch(/^[a-z]+ \S+$/);
			}),
		);
	});
});
