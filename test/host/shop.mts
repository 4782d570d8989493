import { load } from 'cheerio';

/** A product as the demo shop's list page shows it. */
export interface ShownProduct {
	name: string;
	/** As shown, such as `€ 24.90`. */
	price: string;
}

/** Reads the demo shop's first list page, as a visitor sees it. */
export async function shownProducts(siteUrl: string): Promise<ShownProduct[]> {
	const page = load(await (await fetch(`${siteUrl}/products`)).text());
	return page('li.product')
		.toArray()
		.map((product) => ({
			name: page(product).find('.name').text().trim(),
			price: page(product).find('.price').text().trim(),
		}));
}
