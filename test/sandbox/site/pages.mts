import type { State } from '../model.mts';
import { type Article, ARTICLES, type Product, PRODUCTS, PRODUCTS_PER_PAGE } from './catalogue.mts';
import { escapeHtml, layout } from './html.mts';

/** The number of pages in the product list. */
export const PAGE_COUNT = Math.ceil(PRODUCTS.length / PRODUCTS_PER_PAGE);

/** The current price: the changed one or the catalogue's. */
export function priceOf(product: Product, { prices }: State): number {
	return prices[product.id] ?? product.price;
}

export function homePage(state: State): string {
	return layout({
		title: 'Welcome',
		description: 'Furniture and useful things for the home',
		main: `<h1>Useful things, well made</h1>
<p class="lead">We sell ${PRODUCTS.length} products for the home. Each of them is made in small series and can be repaired.</p>
<h2>New in the shop</h2>
${productList(PRODUCTS.slice(0, 3), state)}
<h2>From the journal</h2>
<ul>${ARTICLES.slice(0, 2).map(articleItem).join('\n')}</ul>`,
	});
}

export function productsPage(state: State, page: number): string {
	const shown = PRODUCTS.slice((page - 1) * PRODUCTS_PER_PAGE, page * PRODUCTS_PER_PAGE);
	const pages = Array.from({ length: PAGE_COUNT }, (_, index) => index + 1);
	const links = pages.map((number) =>
		number === page
			? `<strong>${number}</strong>`
			: `<a href="/site/products?page=${number}">${number}</a>`,
	);
	return layout({
		title: `Products, page ${page}`,
		description: 'All products of the shop with their prices',
		main: `<h1>Products</h1>
<p class="lead">${PRODUCTS.length} products, page ${page} of ${pages.length}</p>
${productList(shown, state)}
<nav class="pages">${links.join('\n')}${nextLink(page)}</nav>`,
	});
}

const nextLink = (page: number) =>
	page < PAGE_COUNT ? `\n<a class="next" href="/site/products?page=${page + 1}">Next</a>` : '';

/** A list that a button extends. */
export const morePage = (state: State): string =>
	growingPage(
		'Load more',
		state,
		'',
		`<button class="more" data-next="/site/parts/2">Load more</button>`,
	);

/** A list that grows when a visitor scrolls. */
export const endlessPage = (state: State): string =>
	growingPage('Endless', state, ' data-endless data-next="/site/parts/2"', '');

function growingPage(title: string, state: State, attributes: string, after: string): string {
	const list = productList(PRODUCTS.slice(0, PRODUCTS_PER_PAGE), state);
	return layout({
		title,
		description: 'The products of the shop, a few at a time',
		head: `<style>.products { display: block; } .product { min-height: 20rem; }</style>`,
		main: `<h1>${title}</h1>
${list.replace('<ul class="products"', `<ul class="products" data-rows${attributes}`)}
${after}
<script>${GROWING}</script>`,
	});
}

/** Loads the next part when a visitor clicks the button or scrolls to the end. The sandbox's robots do the same. */
const GROWING = `
const rows = document.querySelector('[data-rows]');
let loading = false;
async function grow(source) {
	if (loading || !source?.dataset.next) return;
	loading = true;
	const { html, next } = await (await fetch(source.dataset.next)).json();
	rows.insertAdjacentHTML('beforeend', html);
	if (next) source.dataset.next = next; else { delete source.dataset.next; if (source !== rows) source.remove(); }
	loading = false;
}
document.querySelector('button.more')?.addEventListener('click', ({ target }) => grow(target));
addEventListener('scroll', () => { if (innerHeight + scrollY > document.body.scrollHeight - 80) grow(document.querySelector('[data-endless]')); });`;

/** One part of a list that grows, and the next part's address. */
export function productPart(state: State, page: number): { html: string; next: string | null } {
	const products = PRODUCTS.slice((page - 1) * PRODUCTS_PER_PAGE, page * PRODUCTS_PER_PAGE);
	const next = page < PAGE_COUNT ? `/site/parts/${page + 1}` : null;
	return { html: productItems(products, state).join('\n'), next };
}

export function loginPage(): string {
	return layout({
		title: 'Log in',
		description: 'The customer area of the shop',
		main: `<h1>Log in</h1>
<form method="post" action="/site/login">
<input id="email" name="email" type="email"> <input id="password" name="password" type="password">
<button type="submit">Log in</button>
</form>`,
	});
}

export function accountPage(state: State): string {
	const orders = PRODUCTS.slice(0, 2).map(
		(product) =>
			`<li class="order"><span class="what">${escapeHtml(product.name)}</span> <span class="total">${money(priceOf(product, state))}</span></li>`,
	);
	return layout({
		title: 'Your account',
		description: 'The orders of a customer',
		main: `<h1>Account of Ada</h1>
<p class="balance">$1,249.00</p>
<ul class="orders">${orders.join('\n')}</ul>`,
	});
}

/** What most shops declare about a product, for search engines. */
function declared(given: Product, state: State): string {
	const { id, name, stock } = given;
	const product = {
		...{ '@context': 'https://schema.org', '@type': 'Product', name },
		sku: `LS-${String(id).padStart(4, '0')}`,
		offers: {
			price: priceOf(given, state).toFixed(2),
			priceCurrency: 'USD',
			availability: `https://schema.org/${stock > 0 ? 'InStock' : 'OutOfStock'}`,
		},
	};
	return `<script type="application/ld+json">${JSON.stringify(product)}</script>`;
}

export function productPage(product: Product, state: State): string {
	return layout({
		title: product.name,
		description: product.description,
		head: declared(product, state),
		main: `<p class="category">${escapeHtml(product.category)}</p>
<h1>${escapeHtml(product.name)}</h1>
<p class="price">${money(priceOf(product, state))}</p>
<p class="description">${escapeHtml(product.description)}</p>
<table class="details">
<tr><th>Article number</th><td>LS-${String(product.id).padStart(4, '0')}</td></tr>
<tr><th>Availability</th><td>${stockText(product)}</td></tr>
<tr><th>Delivery time</th><td>${product.stock > 0 ? '3 to 5 days' : '4 weeks'}</td></tr>
</table>`,
	});
}

export function articlesPage(): string {
	return layout({
		title: 'Journal',
		description: 'Articles about living with well-made things',
		main: `<h1>Journal</h1>\n<ul class="articles">${ARTICLES.map(articleItem).join('\n')}</ul>`,
	});
}

export function articlePage(article: Article): string {
	const paragraphs = article.paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`);
	return layout({
		title: article.title,
		description: article.paragraphs[0] ?? '',
		main: `<article>
<h1>${escapeHtml(article.title)}</h1>
<p class="byline">By ${escapeHtml(article.author)}</p>
${paragraphs.join('\n')}
<p>See also <a href="/site/products">our products</a> and <a href="/site/articles">the other articles</a>.</p>
</article>`,
	});
}

export function plainPage(title: string, text: string): string {
	return layout({
		title,
		description: text,
		main: `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(text)}</p>`,
	});
}

const productList = (products: Product[], state: State): string =>
	`<ul class="products">\n${productItems(products, state).join('\n')}\n</ul>`;

const productItems = (products: Product[], state: State): string[] =>
	products.map(
		(product) => `<li class="product">
<span class="category">${escapeHtml(product.category)}</span>
<h2 class="name"><a href="/site/products/${product.id}">${escapeHtml(product.name)}</a></h2>
<span class="price">${money(priceOf(product, state))}</span>
<span class="stock">${stockText(product)}</span>
</li>`,
	);

function articleItem(article: Article): string {
	return `<li><a href="/site/articles/${article.slug}">${escapeHtml(article.title)}</a> <span class="byline">by ${escapeHtml(article.author)}</span></li>`;
}

function stockText({ stock }: Product): string {
	return stock === 0 ? 'Sold out' : `${stock} in stock`;
}

function money(price: number): string {
	return `$${price.toFixed(2)}`;
}
