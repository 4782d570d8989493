import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { LOGIN_STEPS } from '../helpers/fixtures.mts';

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

/** Rows of a table, whose columns have these names. */
const table = (names: string, ...rows: Array<Array<string | number | boolean | null>>) =>
	rows.map((row) =>
		Object.fromEntries(names.split(', ').map((name, index) => [name, row[index] ?? null])),
	);

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
		rows: table(
			'Currency, Rate, Change, Volume, Updated, Link',
			['US dollar', 1.0853, 0.12, 1.2e9, '2026-11-23', page('/kinds/rates/usd')],
			['Swiss franc', 0.925, -0.04, 85e6, '2026-11-23', page('/kinds/rates/chf')],
			['Test currency', 1.085, null, null, null, null],
			['Yen', 163.2, 1.5, 420_500, '2026-11-22', page('/kinds/rates/jpy')],
		),
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
		rows: table(
			'Rank, Title, Link, Points, Posted',
			[1, 'A story about tea', 'https://a.example/story', 1203, '2026-11-23T10:30:00.000'],
			[2, 'Ask: which kettle?', page('/kinds/item?id=2'), 1, '2026-11-23T09:00:00.000'],
			[3, 'A company is hiring', 'https://jobs.example/', null, '2026-11-23T08:15:00.000'],
		),
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
		rows: table(
			'Title, Company, Salary, Remote, Posted, Link',
			['Data engineer', 'Acme', 65_000, true, daysAgo(3), page('/kinds/jobs/1')],
			['Carpenter', 'Oak & Sons', 3200, false, daysAgo(1), page('/kinds/jobs/2')],
			['Barista', 'Tea Time', null, false, daysAgo(14), page('/kinds/jobs/3')],
		),
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
		// Equal rows are kept.
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
		rows: table(
			'Titel, Preis, Entfernung, Sterne, Datum, Versand',
			['Damenrad, 28 Zoll', 1249, 12.5, 4.5, '2026-03-03', true],
			['Rennrad', 80, 1249, 4, '2026-05-12T14:30:00.000', false],
			['Kinderrad', null, 0.8, null, daysAgo(2), false],
		).map((row) => ({ Anzahl: 3, ...row })),
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
		rows: table(
			'Number, 名前, 価格, 販売数, 在庫, 日付',
			['A-1', '南部鉄器の急須', 12_800, 45_000, true, '2026-11-23'],
			['A-2', '抹茶茶碗', 3200, 980, false, '2026-03-01'],
		),
	},
	{
		name: 'a login',
		path: '/account',
		parameters: {
			...field('Balance', '.balance', 'number'),
			...list('li.order', [column('Product', '.what'), column('Total', '.total', 'number')]),
			steps: { values: [...LOGIN_STEPS, { action: 'waitForElement', selector: '.balance' }] },
			additionalFields: { startUrl: page('/login') },
		},
		rows: [
			{ Balance: 1249, Product: 'Walnut desk', Total: 249 },
			{ Balance: 1249, Product: 'Oak chair', Total: 89.5 },
		],
	},
];
