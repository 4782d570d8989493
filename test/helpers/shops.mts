import { randomFrom } from '../simulation/random.mts';

/** What a person sees of a product. */
export interface Product {
	Name: string;
	Price: string;
	Rating: string;
	Link: string;
}

const WOODS = ['Oak', 'Walnut', 'Pine', 'Ash', 'Beech', 'Cherry', 'Maple', 'Elm'];
const THINGS = ['desk', 'chair', 'table', 'shelf', 'lamp stand', 'bed frame'];

/** How an old price stands before a new price: with a tag, with a class, or without a mark. */
const SALES: Array<(old: string, now: string, own: (text: string) => string) => string> = [
	(old, now, own) => `<s>${old}</s> ${own(now)}`,
	(old, now, own) => `${own(now)} <del>${old}</del>`,
	(old, now, own) => `<del>${own(old)}</del> <ins>${own(now)}</ins>`,
	(old, now, own) => own(old).replace('class="', 'class="old ') + own(now),
	(old, now, own) => `<span class="price-was">${old}</span>${own(now)}`,
	(old, now, own) =>
		`<div class="regular-price">${own(old)}</div><div class="sale">${own(now)}</div>`,
	(old, now, own) => own(old) + own(now),
	(old, now, own) => `<small>${old}</small>${own(now)}`,
	(old, now, own) => `${own(old)}<strong>${now}</strong>`,
];

/** A made-up shop: its page, its products, and which product is the example. */
export function shopOf(seed: number) {
	const random = randomFrom(seed);
	const pick = <T,>(all: readonly T[]): T => all[Math.floor(random() * all.length)];
	const chance = (share: number) => random() < share;
	const style = pick(['named', 'hashed', 'none']);
	const named = (tag: string, name: string) => (text: string) => {
		const hashed = `css-${name.length}x${name.charCodeAt(0)}q`;
		const css = style === 'none' ? '' : ` class="${style === 'named' ? name : hashed}"`;
		return text === '' ? '' : `<${tag}${css}>${text}</${tag}>`;
	};
	const own = {
		name: named(pick(['h2', 'h3', 'b', 'div', 'span']), 'product-name'),
		price: named(pick(['span', 'p', 'b', 'div']), pick(['price', 'amount', 'product-price'])),
		rating: named(pick(['i', 'span', 'em']), 'stars'),
		count: named(pick(['i', 'span', 'small']), 'count'),
		stock: named(pick(['u', 'span', 'p']), 'stock'),
	};
	const sale = pick(SALES);
	const isOnSale = chance(0.7) ? 0.35 : 0;
	const [hasRating, isBadge, soldOut] = [
		chance(0.6),
		chance(0.3),
		pick(['none', 'price', 'stock']),
	];
	const countOf = pick([(count: number) => `(${count})`, (count: number) => `${count} reviews`]);
	const card = pick(['li', 'div', 'article']);
	const around = named(card, 'card');
	const money = pick([(value: number) => `$${value}.00`, (value: number) => `${value},00 €`]);
	const isLinkAround = chance(0.3);
	const products: Product[] = [];
	const cards = Array.from({ length: 6 + Math.floor(random() * 20) }, (_, at) => {
		const isGone = soldOut !== 'none' && chance(0.15);
		const lacksPrice = chance(0.06);
		const product = {
			Name: `${pick(WOODS)} ${pick(THINGS)} ${at + 100}`,
			Price: isGone || lacksPrice ? '' : money(200 + at * 7),
			Rating: hasRating && chance(0.75) ? (1 + Math.floor(random() * 40) / 10).toFixed(1) : '',
			Link: `https://shop.example/p/${at}`,
		};
		products.push(product);
		const link = `<a href="/p/${at}">`;
		const name = isLinkAround ? own.name(product.Name) : own.name(`${link}${product.Name}</a>`);
		const now = chance(isOnSale)
			? sale(money(500 + at * 3), product.Price, own.price)
			: own.price(product.Price);
		const gone = soldOut === 'price' ? own.price('Sold out') : own.stock('Sold out');
		const price = isGone ? gone : lacksPrice ? '' : now;
		const rating = product.Rating && own.rating(product.Rating);
		const count = hasRating && chance(0.8) ? own.count(countOf(Math.floor(random() * 90) + 1)) : '';
		const badge = isBadge && chance(0.3) ? own.stock('New') : '';
		const inside = `${badge}${name}${rating}${count}${price}`;
		return around(isLinkAround ? `${link}${inside}</a>` : inside);
	});
	const ads = [
		'',
		`<${card} class="ad"><a href="/ad">Advertisement</a></${card}>`,
		`<${card}><a href="/ad">Only today</a> $5.00</${card}>`,
		'<hr>',
	];
	const ad = pick(ads);
	const list = cards.map((one, at) => (at % 5 === 3 ? one + ad : one));
	const parts = pick([1, 1, 2, 3, 4]);
	const size = Math.ceil(list.length / parts);
	const box = card === 'li' ? 'ul' : 'div';
	const grid = chance(0.5) ? ' class="grid"' : '';
	const heading = chance(0.4);
	const lists = Array.from({ length: parts }, (_, part) => {
		const title = heading ? `<h4>Part ${part + 1}</h4>` : '';
		return `${title}<${box}${grid}>${list.slice(part * size, (part + 1) * size).join('')}</${box}>`;
	});
	const menu = '<ul class="menu"><li><a href="/">Home</a></li><li><a href="/new">New</a></li></ul>';
	const footer =
		'<footer><p>Free delivery from $50.00</p><ul><li><a href="/help">Help</a></li></ul></footer>';
	const html = `<body>${menu}<main>${lists.join('')}</main>${footer}</body>`;
	const usable = products.filter(({ Price, Rating }) => Price && (Rating || !hasRating));
	const example = pick(usable);
	return { html, products, example, hasRating };
}
