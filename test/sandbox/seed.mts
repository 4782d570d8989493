import { demoAccounts, demoTeams } from './accounts.mts';
import { newRobot, type Owner } from './factory.mts';
import type { Format, Robot, State } from './model.mts';

export const DEMO = {
	/** A recorded robot for the product list: Product, Price, Stock and Link. */
	products: 'de300000-0000-4000-8000-000000000001',
	/** A scrape robot for an article: Markdown and links. */
	article: 'de300000-0000-4000-8000-000000000002',
	/** A scrape robot for a page that takes 10 seconds. */
	slow: 'de300000-0000-4000-8000-000000000003',
	/** A scrape robot for a missing page. Its runs fail. */
	failing: 'de300000-0000-4000-8000-000000000004',
} as const;

export function initialState(origin: string): State {
	const accounts = demoAccounts();
	const owner = accounts.find(({ id }) => id === 'account-owner');
	if (owner === undefined) throw new Error('The demo accounts have no owner');
	return {
		origin,
		accounts,
		teams: demoTeams(),
		robots: demoRobots({ account: owner, team: null, scope: `user:${owner.id}` }, `${origin}/site`),
		runs: [],
		runTotals: {},
		deliveries: [],
		deliveryLog: [],
		prices: {},
	};
}

function demoRobots(owner: Owner, site: string): Robot[] {
	const scrape = (id: string, name: string, path: string, formats: Format[] = ['markdown']) =>
		newRobot(owner, { id, type: 'scrape', name, url: `${site}/${path}`, formats });
	return [
		scrape(DEMO.failing, 'Missing page', 'missing'),
		scrape(DEMO.slow, 'Slow page', 'slow?seconds=10'),
		scrape(DEMO.article, 'Shop article', 'articles/oiling-a-desk', ['markdown', 'links']),
		newRobot(owner, {
			id: DEMO.products,
			type: 'extract',
			name: 'Shop products',
			url: `${site}/products`,
			params: { page: 1 },
			recipe: {
				fields: { Heading: 'h1', Summary: '.lead' },
				list: {
					name: 'Products',
					row: 'li.product',
					fields: { Product: '.name', Price: '.price', Stock: '.stock', Link: '.name a@href' },
				},
			},
		}),
	];
}
