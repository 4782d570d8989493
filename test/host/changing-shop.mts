import { createServer, type Server } from 'node:http';
import { closeServer, listen } from '../helpers/listen.mts';

interface Product {
	id: number;
	name: string;
	price: string;
}

/** A page with products that come, go and change, and a page for each of them. */
export class Shop {
	private products: Product[] = [1, 2, 3, 4, 5, 6].map((id) => productOf(id, `${id}0.00`));
	private next = 7;

	private constructor(
		private readonly server: Server,
		readonly url: string,
	) {}

	static async open(): Promise<Shop> {
		const server = createServer(({ url }, response) => {
			const html = shop.html(new URL(url ?? '', shop.url).href);
			response.writeHead(html === undefined ? 404 : 200, {
				'content-type': 'text/html; charset=utf-8',
			});
			response.end(html ?? 'This page does not exist');
		});
		const shop = new Shop(server, `http://127.0.0.1:${await listen(server)}/products`);
		return shop;
	}

	rows = (): string[] =>
		this.products.map(({ name, price, id }) => `${name} $${price} ${this.linkOf(id)}`).sort();

	pages = (): string[] =>
		this.products.map((product) => `${this.linkOf(product.id)} ${offerOf(product)}`).sort();

	change(random: () => number): void {
		const price = () => (random() * 100).toFixed(2);
		const kept = this.products.filter((_, index) => index === 0 || random() > 0.2);
		const changed = kept.map((product) =>
			random() < 0.3 ? { ...product, price: price() } : product,
		);
		const added = Array.from({ length: Math.floor(random() * 3) + 1 }, () =>
			productOf(this.next++, price()),
		);
		this.products = [...added, ...changed].sort(() => random() - 0.5);
	}

	reprice(price: string): [name: string, former: string] {
		const [first = productOf(0, ''), ...others] = this.products;
		this.products = [{ ...first, price }, ...others];
		return [first.name, `$${first.price}`];
	}

	/** @returns the product's link */
	add(name: string): string {
		const product = { ...productOf(this.next++, '10.00'), name };
		this.products = [...this.products, product];
		return this.linkOf(product.id);
	}

	async close(): Promise<void> {
		await closeServer(this.server);
	}

	private readonly linkOf = (id: number) => new URL(`/products/${id}`, this.url).href;

	private html(url: string): string | undefined {
		if (url === this.url) return this.list();
		const product = this.products.find(({ id }) => this.linkOf(id) === url);
		return product && `<!doctype html><title>${product.name}</title><p>${offerOf(product)}</p>`;
	}

	private list(): string {
		const items = this.products.map(
			({ id, name, price }) =>
				`<li class="product"><span class="name"><a href="/products/${id}">${name}</a></span> <span class="price">$${price}</span></li>`,
		);
		return `<!doctype html><title>Shop</title><h1>Products</h1><ul>${items.join('')}</ul>`;
	}
}

const productOf = (id: number, price: string): Product => ({ id, name: `Product ${id}`, price });

const offerOf = ({ name, price }: Product) => `${name} costs ${price} dollars.`;
