import { expect } from 'vitest';

const LOADED = { action: 'waitForLoadState', args: ['networkidle'] };
const element = (selector: string, attribute = 'innerText') => ({
	tag: '',
	isShadow: false,
	selector,
	attribute,
});
const schema = (name: string, fields: object) => ({
	action: 'scrapeSchema',
	actionId: expect.stringMatching(/^text-/),
	name,
	args: [fields],
});

/** The form for the products of the shop, and the workflows that the node sends for it. */
export function extractRequests(url: string) {
	const columns = [
		{ name: 'Product', selector: '.name a', returnValue: 'text' },
		{ name: 'Link', selector: '.name a', returnValue: 'link' },
		{ name: 'Price', selector: '.price', returnValue: 'text' },
	];
	const list = {
		name: 'Products',
		rowSelector: 'li.product',
		rowLimit: 20,
		pagination: 'clickNext',
		paginationSelector: 'a.next',
	};
	const parameters = {
		url,
		specifyFields: 'fields',
		fields: { values: [{ name: 'Heading', selector: 'h1', returnValue: 'text' }] },
		lists: { values: [{ ...list, columns: { values: columns } }] },
	};
	const heading = schema('Fields', { Heading: element('h1') });
	const hasClass = (name: string) =>
		`[contains(concat(" ", normalize-space(@class), " "), " ${name} ")]`;
	const rows = `//li${hasClass('product')}`;
	const draft = [
		{
			where: { url },
			what: [
				schema(
					'Checks',
					expect.objectContaining({
						Page: element('body'),
						check0: element('h1'),
						check1: element(rows),
					}),
				),
			],
		},
		{
			where: { url: 'about:blank' },
			what: [{ action: 'goto', args: [url], actionId: expect.stringMatching(/^n8n-/) }, LOADED],
		},
	];
	const config = {
		listSelector: rows,
		entered: 'li.product',
		fields: {
			Product: element('.name a'),
			Link: element('.name a', 'href'),
			Price: element('.price'),
		},
		pagination: { type: 'clickNext', selector: 'a.next' },
		limit: 20,
	};
	const actionId = expect.stringMatching(/^list-/);
	const complete = [
		{
			where: { url },
			what: [
				heading,
				LOADED,
				{ action: 'scrapeList', actionId, name: 'Products', args: [config] },
				LOADED,
			],
		},
		draft[1],
	];
	return { parameters, draft, complete };
}
