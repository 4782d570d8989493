import { load } from 'cheerio';

export interface ShownProduct {
	name: string;
	price: string;
}

export async function shownProducts(siteUrl: string): Promise<ShownProduct[]> {
	const page = load(await (await fetch(`${siteUrl}/products`)).text());
	return page('li.product')
		.toArray()
		.map((product) => ({
			name: page(product).find('.name').text().trim(),
			price: page(product).find('.price').text().trim(),
		}));
}
