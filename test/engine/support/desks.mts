import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';

export const DESKS = ['Walnut', 'Oak', 'Pine', 'Ash', 'Beech'].map((wood, at) => ({
	name: `${wood} desk`,
	price: `$${149 + at * 25}.00`,
}));

const pageOf = (after: (desk: (typeof DESKS)[number]) => string) => {
	const rows = DESKS.map(
		(desk) => `<li class="product"><h2 class="name">${desk.name}</h2>${after(desk)}</li>`,
	);
	return `<html><body><h1>Desks</h1><ul>${rows.join('')}</ul></body></html>`;
};

/** The same desks before and after a redesign, and when all are sold. */
export const PAGES = {
	old: pageOf(({ price }) => `<b class="price">${price}</b>`),
	new: pageOf(({ price }) => `<div><span class="amount">${price}</span></div>`),
	/** A selector of the price must say that it is a child of the row. */
	nested: pageOf(({ price }) => `<div><span>New</span></div><span>${price}</span>`),
	soldOut: pageOf(() => '<i>Sold out</i>'),
};

/** Selectors of the first page. */
export const DESK_LIST = {
	rowSelector: 'li.product',
	name: 'Desks',
	pagination: 'none',
	columns: {
		values: [
			{ name: 'Name', selector: '.name' },
			{ name: 'Price', selector: '.price' },
		],
	},
};

/** Examples from the first page. */
export const DESK_EXAMPLES = {
	values: [
		{ name: 'Name', example: 'Oak desk' },
		{ name: 'Price', example: '$174.00', type: 'number' },
	],
};

/** A site whose only page can change. Begins each test with the first page. */
export function useDesks() {
	let html = PAGES.old;
	/** Robots are kept, so each test has its own URL. */
	let tests = 0;
	let visits = 0;
	let later = { visits: Infinity, page: '' };
	const site = createServer((_, response) => {
		if (++visits > later.visits) html = later.page;
		response.setHeader('content-type', 'text/html').end(html);
	});
	beforeAll(async () => await once(site.listen(0, '127.0.0.1'), 'listening'));
	afterAll(() => site.close());
	beforeEach(() => {
		tests++;
		html = PAGES.old;
		later = { visits: Infinity, page: '' };
	});
	return {
		path: () => `/${tests}/`,
		url: () => `http://127.0.0.1:${(site.address() as AddressInfo).port}/${tests}/`,
		show: (page: string) => void (html = page),
		visits: () => visits,
		showAfter: (more: number, page: string) => void (later = { visits: visits + more, page }),
	};
}
