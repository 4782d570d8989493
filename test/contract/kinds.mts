import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { CUSTOMER } from '../sandbox/site/site.mts';

/** A common kind of page, with the values that users enter and the typed rows that they expect. */
export interface Kind {
	name: string;
	path: string;
	/** The parameters that differ from the defaults. */
	parameters: INodeParameters;
	rows: IDataObject[];
}

const list = (rowSelector: string, columns: INodeParameters[], more: INodeParameters = {}) => ({
	lists: { values: [{ rowSelector, columns: { values: columns }, ...more }] },
});
const column = (name: string, selector: string, type = 'text', more: INodeParameters = {}) => ({
	name,
	selector,
	type,
	...more,
});
const link = (selector: string) => column('Link', selector, 'link', { returnValue: 'link' });
const field = (name: string, selector: string, type = 'text') => ({
	fields: { values: [{ name, selector, type }] },
});

const daysAgo = (days: number) =>
	new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

export const kindsOf = (page: (path: string) => string): Kind[] => [
	{
		name: 'a table of rates',
		path: '/kinds/rates',
		parameters: list('#rates tbody tr', [
			column('Currency', 'td:nth-child(1)'),
			column('Rate', 'td:nth-child(2)', 'number'),
			column('Change', 'td:nth-child(3)', 'number'),
			column('Volume', 'td:nth-child(4)', 'number'),
			column('Updated', 'td:nth-child(5)', 'date'),
			link('td:nth-child(1) a'),
		]),
		rows: [
			{
				Currency: 'US dollar',
				Rate: 1.0853,
				Change: 0.12,
				Volume: 1.2e9,
				Updated: '2026-11-23',
				Link: page('/kinds/rates/usd'),
			},
			{
				Currency: 'Swiss franc',
				Rate: 0.925,
				Change: -0.04,
				Volume: 85e6,
				Updated: '2026-11-23',
				Link: page('/kinds/rates/chf'),
			},
			{
				Currency: 'Test currency',
				Rate: 1.085,
				Change: null,
				Volume: null,
				Updated: null,
				Link: null,
			},
			{
				Currency: 'Yen',
				Rate: 163.2,
				Change: 1.5,
				Volume: 420_500,
				Updated: '2026-11-22',
				Link: page('/kinds/rates/jpy'),
			},
		],
	},
	{
		name: 'Hacker News',
		path: '/kinds/news',
		parameters: list('tr.athing', [
			column('Rank', '.rank', 'number'),
			column('Title', '.titleline > a'),
			link('.titleline > a'),
			column('Points', '+ tr .score', 'number'),
			column('Posted', '+ tr .age', 'date', { returnValue: 'attribute', attribute: 'title' }),
		]),
		rows: [
			{
				Rank: 1,
				Title: 'A story about tea',
				Link: 'https://a.example/story',
				Points: 1203,
				Posted: '2026-11-23T10:30:00.000',
			},
			{
				Rank: 2,
				Title: 'Ask: which kettle?',
				Link: page('/kinds/item?id=2'),
				Points: 1,
				Posted: '2026-11-23T09:00:00.000',
			},
			{
				Rank: 3,
				Title: 'A company is hiring',
				Link: 'https://jobs.example/',
				Points: null,
				Posted: '2026-11-23T08:15:00.000',
			},
		],
	},
	{
		name: 'a job board with hashed classes',
		path: '/kinds/jobs',
		parameters: list('[class*="JobCard_root"]', [
			column('Title', '[class*="JobCard_title"]'),
			column('Company', '[class*="JobCard_meta"] span:first-child'),
			column('Salary', '[class*="JobCard_salary"]', 'number'),
			column('Remote', '[class*="Tag_root"]', 'boolean', {
				trueWords: 'Remote',
				falseWords: 'On site',
			}),
			column('Posted', 'time', 'date'),
			link(''),
		]),
		rows: [
			{
				Title: 'Data engineer',
				Company: 'Acme',
				Salary: 65_000,
				Remote: true,
				Posted: daysAgo(3),
				Link: page('/kinds/jobs/1'),
			},
			{
				Title: 'Carpenter',
				Company: 'Oak & Sons',
				Salary: 3200,
				Remote: false,
				Posted: daysAgo(1),
				Link: page('/kinds/jobs/2'),
			},
			{
				Title: 'Barista',
				Company: 'Tea Time',
				Salary: null,
				Remote: false,
				Posted: daysAgo(14),
				Link: page('/kinds/jobs/3'),
			},
		],
	},
	{
		name: 'a forum',
		path: '/kinds/forum',
		parameters: {
			...field('Forum', 'h1'),
			...list('.thread:not(.pinned)', [
				column('Topic', 'h3'),
				column('Replies', '.replies', 'number'),
				column('Views', '.views', 'number'),
				column('Last post', '.last', 'date'),
			]),
		},
		// Equal rows remain.
		rows: [
			['Which oil for oak?', 1048, 3.4e6, '2026-11-23T15:41:00.000'],
			['Re: Sold', 0, 7, '2026-11-22T23:59:00.000'],
			['Re: Sold', 0, 7, '2026-11-22T23:59:00.000'],
		].map(([Topic, Replies, Views, last]) => ({
			Forum: 'Woodworking',
			Topic,
			Replies,
			Views,
			'Last post': last,
		})),
	},
	{
		name: 'search results with one hit',
		path: '/kinds/search',
		parameters: list('main .result', [
			column('Title', 'h2 a'),
			link('h2 a'),
			column('Price', '.price', 'number'),
			column('Rating', '.rating', 'number'),
		]),
		rows: [{ Title: 'Copper kettle', Link: page('/products/7'), Price: 74.5, Rating: 4.5 }],
	},
	{
		name: 'a German page',
		path: '/kinds/german',
		parameters: {
			...field('Anzahl', '.anzahl', 'number'),
			...list('li.anzeige', [
				column('Titel', '.titel'),
				column('Preis', '.preis', 'number'),
				column('Entfernung', '.km', 'number'),
				column('Sterne', '.sterne', 'number'),
				column('Datum', '.datum', 'date'),
				column('Versand', '.versand', 'boolean', { falseWords: 'Nur Abholung' }),
			]),
		},
		rows: [
			{
				Titel: 'Damenrad, 28 Zoll',
				Preis: 1249,
				Entfernung: 12.5,
				Sterne: 4.5,
				Datum: '2026-03-03',
				Versand: true,
			},
			{
				Titel: 'Rennrad',
				Preis: 80,
				Entfernung: 1249,
				Sterne: 4,
				Datum: '2026-05-12T14:30:00.000',
				Versand: false,
			},
			{
				Titel: 'Kinderrad',
				Preis: null,
				Entfernung: 0.8,
				Sterne: null,
				Datum: daysAgo(2),
				Versand: false,
			},
		].map((row) => ({ Anzahl: 3, ...row })),
	},
	{
		name: 'a Japanese page',
		path: '/kinds/japanese',
		parameters: list('.商品', [
			column('Number', '', 'text', { returnValue: 'attribute', attribute: 'data-sku' }),
			column('名前', '.名前'),
			column('価格', '.価格', 'number'),
			column('販売数', '.販売数', 'number'),
			column('在庫', '.在庫', 'boolean', { trueWords: '在庫あり', falseWords: '売り切れ' }),
			column('日付', '.日付', 'date'),
		]),
		rows: [
			{
				Number: 'A-1',
				名前: '南部鉄器の急須',
				価格: 12_800,
				販売数: 45_000,
				在庫: true,
				日付: '2026-11-23',
			},
			{
				Number: 'A-2',
				名前: '抹茶茶碗',
				価格: 3200,
				販売数: 980,
				在庫: false,
				日付: '2026-03-01',
			},
		],
	},
	{
		name: 'a login',
		path: '/account',
		parameters: {
			...field('Balance', '.balance', 'number'),
			...list('li.order', [column('Product', '.what'), column('Total', '.total', 'number')]),
			steps: {
				values: [
					{ action: 'type', selector: '#email', text: CUSTOMER.email },
					{ action: 'type', selector: '#password', text: CUSTOMER.password },
					{ action: 'click', selector: 'button[type=submit]' },
					{ action: 'waitForElement', selector: '.balance' },
				],
			},
			additionalFields: { startUrl: page('/login') },
		},
		rows: [
			{ Balance: 1249, Product: 'Walnut desk', Total: 249 },
			{ Balance: 1249, Product: 'Oak chair', Total: 89.5 },
		],
	},
];
