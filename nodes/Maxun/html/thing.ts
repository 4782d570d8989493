import type { IDataObject } from 'n8n-workflow';
import { Page } from './page';
import { keyOf, readElements } from './reader';
import type { Rest } from '../http/concurrency';
import { sameLink } from '../http/links';
import { isObject } from '../http/values';
import { declaredOn, asList, metaOn, plain, typesOf, type Declared } from './declared';

/** What a page says about its one thing. */
export interface Thing {
	/** schema.org's type, such as `Product`. */
	type: string;
	/** Flat, in schema.org's words, as the page has them. Links are absolute. */
	fields: IDataObject;
	/** What speaks against it. */
	doubt?: string;
}

/** Types of pages, the one that says most about its page first. */
const TYPES = [
	/^(Product|ProductGroup|ProductModel|IndividualProduct|Vehicle|Car)$/,
	/^Recipe$/,
	/^JobPosting$/,
	/Event$|^Festival$/,
	/^(RealEstateListing|Apartment|House|SingleFamilyResidence|Accommodation)$/,
	/^(Course|Book|Movie|TVSeries|TVEpisode|PodcastEpisode|MusicAlbum|VideoGame|Dataset|HowTo)$|Application$/,
	/Article$|^(BlogPosting|Report)$/,
];
/** A shop's pages declare the shop, too. Only its heading tells that a page is about it. */
const PLACE =
	/Business$|Store$|^(Place|Hotel|Hostel|Restaurant|Cafe\w*|Bakery|Hospital|\w*Clinic|Physician|Dentist|School|Museum|TouristAttraction|Library)$/;

/** The properties of a thing for each field. The first one that the page has counts. */
const FIELDS: Record<string, string[]> = {
	...{ name: ['name', 'headline', 'title'] },
	...{ headline: ['headline', 'name'], title: ['title', 'name'] },
	...{ brand: ['brand'], sku: ['sku'], mpn: ['mpn'] },
	gtin: ['gtin', 'gtin13', 'gtin14', 'gtin12', 'gtin8'],
	...{ condition: ['itemCondition', 'offers.itemCondition'] },
	rating: ['aggregateRating.ratingValue'],
	...{ reviews: ['aggregateRating.reviewCount'], ratings: ['aggregateRating.ratingCount'] },
	...{ author: ['author'], published: ['datePublished'], modified: ['dateModified'] },
	...{ section: ['articleSection'], company: ['hiringOrganization'] },
	...{ location: ['jobLocation', 'location'], address: ['address'], telephone: ['telephone'] },
	...{ start: ['startDate'], end: ['endDate'], organizer: ['organizer'] },
	...{ performer: ['performer'], employmentType: ['employmentType'] },
	...{ posted: ['datePosted'], validThrough: ['validThrough'] },
	salary: ['baseSalary.value.value', 'baseSalary.value', 'baseSalary'],
	...{ minSalary: ['baseSalary.value.minValue'], maxSalary: ['baseSalary.value.maxValue'] },
	...{ salaryUnit: ['baseSalary.value.unitText'], currency: ['baseSalary.currency'] },
	...{ category: ['category', 'recipeCategory'], cuisine: ['recipeCuisine'] },
	...{ yield: ['recipeYield', 'yield'], prepTime: ['prepTime'], cookTime: ['cookTime'] },
	...{ totalTime: ['totalTime'], calories: ['nutrition.calories'] },
	ingredients: ['recipeIngredient', 'ingredients'],
	instructions: ['recipeInstructions', 'step'],
	...{ priceRange: ['priceRange'], openingHours: ['openingHours'] },
	...{ latitude: ['geo.latitude'], longitude: ['geo.longitude'] },
	...{ color: ['color'], material: ['material'], keywords: ['keywords'] },
	...{ description: ['description', 'abstract'] },
};
const LINES = /^(ingredients|instructions)$/;

/** Where the page's meta tags have a field that the thing lacks. */
const META: Record<string, string[]> = {
	...{ name: ['og:title', 'twitter:title'], headline: ['og:title'], title: ['og:title'] },
	price: ['product:price:amount', 'og:price:amount'],
	currency: ['product:price:currency', 'og:price:currency'],
	...{ availability: ['product:availability'], brand: ['product:brand'] },
	...{ published: ['article:published_time'], modified: ['article:modified_time'] },
	...{ author: ['author'], section: ['article:section'] },
	description: ['og:description', 'description'],
	...{ image: ['og:image', 'twitter:image'], url: ['canonical', 'og:url'] },
};

/** A property of a thing, or of the things in it: `a.b`. */
const allAt = (thing: Declared, path: string): unknown[] =>
	path
		.split('.')
		.reduce<
			unknown[]
		>((all, key) => all.flatMap((one) => (isObject(one) ? asList(one[key]) : [])), [thing]);

/** A value as a text. Of things, their name or address. */
function textOf(value: unknown): string {
	if (!isObject(value)) return plain(String(value ?? ''));
	const { name, text, url, address } = value;
	const isStep = typesOf(value).some((type) => type.startsWith('HowTo'));
	const own = isStep ? (text ?? name) : (name ?? value['@value'] ?? text);
	const steps = asList(value.itemListElement).map(textOf).join('\n');
	if (steps) return steps;
	const parts = [own, ...asList(address), ...PARTS.map((key) => value[key])].map(textOf);
	return parts.filter(Boolean).join(', ') || (typeof url === 'string' ? plain(url) : '');
}

/** The parts of an address. */
const PARTS = [
	...['streetAddress', 'postalCode', 'addressLocality', 'addressRegion', 'addressCountry'],
];

const fieldOf = (thing: Declared, name: string): string => {
	const texts = (FIELDS[name] ?? []).map((path) =>
		[...new Set(allAt(thing, path).map(textOf))].filter(Boolean),
	);
	return (texts.find(({ length }) => length > 0) ?? []).join(LINES.test(name) ? '\n' : ', ');
};

/** A price that no longer applies has one of these types. */
const FORMER = /list|strikethrough|srp|regular/i;

/** What a product costs. If its offers have different prices, it has no single one. */
function offerOf(thing: Declared): Record<string, string> {
	const given = allAt(thing, 'offers').filter(isObject);
	const offers = given.flatMap((offer) => [offer, ...allAt(offer, 'offers').filter(isObject)]);
	const now = offers.flatMap((offer) => [
		offer,
		...allAt(offer, 'priceSpecification')
			.filter(isObject)
			.filter(({ priceType = '' }) => !FORMER.test(String(priceType))),
	]);
	const all = (key: string, from = now) => [
		...new Set(from.flatMap((one) => asList(one[key])).map(textOf)),
	];
	const only = (key: string, from = now) => {
		const [first = '', ...others] = all(key, from);
		return others.length > 0 ? '' : first;
	};
	const own = all('price', offers);
	const prices = (own.length > 0 ? own : all('price')).filter(Boolean);
	const sorted = prices.every((price) => /^\d+(\.\d+)?$/.test(price))
		? [...prices].sort((one, other) => Number(one) - Number(other))
		: [];
	const [price = ''] = prices.length === 1 ? prices : [];
	const isRange = prices.length > 1;
	const availability = only('availability').replace(/^.*\//, '');
	return {
		price,
		lowPrice: only('lowPrice') || (isRange ? (sorted[0] ?? '') : ''),
		highPrice: only('highPrice') || (isRange ? (sorted.at(-1) ?? '') : ''),
		currency: only('priceCurrency'),
		availability: availability.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase(),
	};
}

/** The first image or link. */
const linkOf = (page: Page, values: unknown[]): string => {
	const [first] = values.map((value) =>
		isObject(value) ? asList(value.url ?? value.contentUrl ?? value['@id'])[0] : value,
	);
	return typeof first === 'string' ? page.absolute(plain(first), 'href') : '';
};

/** The field that names a thing of a type. */
const titleOf = (type: string) =>
	/Article$|^(BlogPosting|Report)$/.test(type)
		? 'headline'
		: type === 'JobPosting'
			? 'title'
			: 'name';

/** A declared thing, and whether the page's address or titles name it. */
interface Chosen {
	thing: Declared;
	type: string;
	isNamed: boolean;
}

/** The thing of a page. If a page declares several of a type, one must be named. */
function chosenOf(things: Declared[], titles: string[], url: string): Chosen | undefined {
	const isNamed = (thing: Declared, from: string[]) => {
		const key = keyOf(fieldOf(thing, 'name'));
		const isTitle = (title: string) => title.startsWith(key) || key.startsWith(title);
		return key.length > 2 && from.some((title) => title.length > 2 && isTitle(title));
	};
	const isHere = (thing: Declared) =>
		['url', '@id', 'mainEntityOfPage.@id', 'mainEntityOfPage', 'offers.url'].some((path) =>
			allAt(thing, path).some((link) => typeof link === 'string' && sameLink(link, url)),
		);
	const all = things
		.filter((thing) => Object.keys(thing).filter((key) => !key.startsWith('@')).length > 1)
		.flatMap((thing) => {
			const types = typesOf(thing);
			const rank = TYPES.findIndex((form) => types.some((type) => form.test(type)));
			const type = types.find((one) => (TYPES[rank] ?? PLACE).test(one));
			const own = { thing, rank, isNamed: isNamed(thing, titles) || isHere(thing) };
			if (type && rank >= 0) return [{ ...own, type }];
			return type && isNamed(thing, titles.slice(0, 1))
				? [{ ...own, rank: TYPES.length, type }]
				: [];
		})
		.sort((one, other) => one.rank - other.rank);
	const named = all.find((one) => one.isNamed);
	if (named) return named;
	const single = all.find(({ rank }) => all.filter((one) => one.rank === rank).length === 1);
	return single;
}

/** The thing of a page, and whether the page's address or titles name it. */
export async function thingIn(
	page: Page,
	url: string,
): Promise<{ thing: Thing; isNamed: boolean; isExact: boolean } | undefined> {
	const meta = await metaOn(page);
	const heading = page.elements.find(({ tag, key }) => tag === 'h1' && key !== '');
	const title = page.elements.find(({ tag }) => tag === 'title');
	const titles = [heading?.text ?? '', meta['og:title'] ?? '', plain(title?.raw ?? '')];
	const chosen = chosenOf(await declaredOn(page), titles.map(keyOf), url);
	if (!chosen) return undefined;
	const { thing, type, isNamed } = chosen;
	const titled = titleOf(type);
	const values: Record<string, string> = {};
	for (const name of Object.keys(FIELDS)) {
		if (!/^(name|headline|title)$/.test(name) || name === titled)
			values[name] ||= fieldOf(thing, name);
		if (name === titled) Object.assign(values, offerOf(thing));
	}
	values.image = linkOf(page, allAt(thing, 'image').concat(allAt(thing, 'thumbnailUrl')));
	values.url = linkOf(page, allAt(thing, 'url'));
	for (const [name, keys] of Object.entries(META)) {
		const [value = ''] = keys.flatMap((key) => meta[key] ?? []);
		const isTitle = /^(name|headline|title)$/.test(name) && name !== titled;
		if (isNamed && !isTitle)
			values[name] ||= /image|url/.test(name) ? page.absolute(value, 'href') : value;
	}
	values.url ||= url;
	const fields = Object.fromEntries(Object.entries(values).filter(([, value]) => value));
	const isExact = !/Article$|^(BlogPosting|Report)$/.test(type) && !PLACE.test(type);
	return { thing: { type, fields, doubt: await doubtOf(page, values.price) }, isNamed, isExact };
}

/** What a page declares about its one thing; undefined if it declares none, or several. @param url the page's address */
export async function thingOn(html: string, url: string, rest: Rest): Promise<Thing | undefined> {
	const page = new Page(await readElements(html, rest), url, rest);
	return (await thingIn(page, url))?.thing;
}

/** Prices are in short texts. */
const SHORT = 60;

/** Why people may see another price. */
async function doubtOf(page: Page, price = ''): Promise<string | undefined> {
	const [, whole, decimals = ''] = /^(\d{1,12})(?:\.(\d{1,4}))?$/.exec(price) ?? [];
	if (!whole) return undefined;
	const digits = [...whole].join("[.,'’]?");
	const more = /^0*$/.test(decimals) ? '(?:[.,]?0{2})?' : `[.,]?${decimals}`;
	const seen = new RegExp(`(?<!\\d|\\d[.,])${digits}${more}(?![.,]?\\d)`);
	for (const { key } of page.elements) {
		await page.rest();
		if (key.length < SHORT && seen.test(key)) return undefined;
	}
	return `the declared price ${price} is not among the prices on the page`;
}
