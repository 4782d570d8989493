import type { IDataObject } from 'n8n-workflow';
import { Page } from './page';
import { keyOf, readElements } from './reader';
import { mapInTurns, type Rest } from '../http/concurrency';
import { addressOf } from '../http/links';
import { withoutEmpty } from '../http/request';
import { isObject, isText } from '../http/values';
import { declaredOn, DEEPEST, flatOf, metaOn, plain, typesOf, type Declared } from './declared';

export interface Thing {
	/** schema.org's type, such as `Product`. */
	type: string;
	/** Flat, with schema.org's names. Links are absolute. */
	fields: IDataObject;
	doubt?: string;
}

const PRODUCT = /^(Product|ProductGroup|ProductModel|IndividualProduct|Vehicle|Car)$/;
const ARTICLE = /Article$|^(BlogPosting|Report)$/;
/** All pages of a shop declare the shop. Only the heading shows that a page is about it. */
const PLACE =
	/Business$|Store$|Clinic$|^(Place|Hotel|Hostel|Restaurant|Bakery|Hospital|Physician|Dentist|School|Museum|TouristAttraction|Library)$/;
/** Types of pages, the one that says most about its page first. */
const TYPES = [
	PRODUCT,
	/^Recipe$/,
	/^JobPosting$/,
	/Event$|^Festival$/,
	/^(RealEstateListing|Apartment|House|SingleFamilyResidence|Accommodation)$/,
	/^(Course|Book|Movie|TVSeries|TVEpisode|PodcastEpisode|MusicAlbum|VideoGame|Dataset|HowTo)$|Application$/,
	ARTICLE,
	PLACE,
];
const FIRST_PART = TYPES.findIndex((form) => form.test('Dataset'));

/** By type, and named things first. Unnamed things from `Dataset` on may be parts of the page. */
function orderOf(rank: number, isNamed: boolean): number {
	const isPart = !isNamed && rank >= FIRST_PART;
	return 2 * (isPart ? rank + TYPES.length : rank) + Number(!isNamed);
}

/** Fields by name, each with the properties or meta tags that may have it. The first value counts. */
const fieldsIn = (text: string) =>
	text.split(';').map((field) => {
		const [name, from = name] = field.trim().split('=');
		return { name, from };
	});

const TEXTUAL = fieldsIn(
	`brand; sku; mpn; gtin=gtin gtin13 gtin14 gtin12 gtin8; condition=itemCondition offers.itemCondition; color; material;
	rating=aggregateRating.ratingValue; reviews=aggregateRating.reviewCount; ratings=aggregateRating.ratingCount; author;
	published=datePublished; modified=dateModified; section=articleSection; company=hiringOrganization;
	location=jobLocation location; address; telephone; openingHours; priceRange; start=startDate; end=endDate; organizer;
	performer; employmentType; jobLocationType; identifier=identifier.value; posted=datePosted; validThrough;
	salary=baseSalary.value.value baseSalary.value baseSalary; minSalary=baseSalary.value.minValue baseSalary.minValue;
	maxSalary=baseSalary.value.maxValue baseSalary.maxValue; salaryUnit=baseSalary.value.unitText baseSalary.unitText;
	currency=baseSalary.currency salaryCurrency; category=category recipeCategory; cuisine=recipeCuisine;
	yield=recipeYield yield; prepTime; cookTime; totalTime; calories=nutrition.calories;
	ingredients=recipeIngredient ingredients; instructions=recipeInstructions step; latitude=geo.latitude;
	longitude=geo.longitude; keywords; description`,
);
const ANY_NAME = 'name headline title';
const PLURAL = /^recipeIn(gredient|structions)/;

/** The meta tags for fields that a thing lacks: of things of all types, of products, and of articles. */
const META = fieldsIn(
	'description=og:description description; image=og:image; url=canonical og:url',
);
const PRICE_META = 'product:price:amount og:price:amount';
const PRODUCT_META = fieldsIn(
	`price=${PRICE_META}; currency=product:price:currency og:price:currency; brand=product:brand;
	availability=product:availability; condition=product:condition; gtin=product:gtin product:ean product:upc`,
);
const ARTICLE_META = fieldsIn(
	'author; section=article:section; published=article:published_time; modified=article:modified_time',
);

/** The values of a property, or of one of the things in it: `a.b`. */
const allAt = (thing: Declared, path: string): unknown[] =>
	path
		.split('.')
		.reduce<
			unknown[]
		>((all, key) => all.flatMap((one) => (isObject(one) ? flatOf(one[key]) : [])), [thing]);

const ADDRESS = 'streetAddress postalCode addressLocality addressRegion addressCountry'.split(' ');

/** A value, or the first of several, as text. Things become their name and address, and steps become what to do. */
function asText(given: unknown, depth = 0): string {
	const [value] = flatOf(given);
	if (isText(value) || typeof value === 'number') return plain(String(value));
	if (!isObject(value) || depth > DEEPEST) return '';
	const { name, text, url, itemListElement, address } = value;
	const textsOf = (values: unknown[]) =>
		values.map((one) => asText(one, depth + 1)).filter(Boolean);
	const steps = textsOf(flatOf(itemListElement)).join('\n');
	const isStep = typesOf(value).some((type) => type.startsWith('HowTo'));
	const own = isStep ? (text ?? name) : (name ?? value['@value'] ?? text);
	const parts = [own, ...flatOf(address), ...ADDRESS.map((key) => value[key])];
	return steps || textsOf(parts).join(', ') || asText(url, depth + 1);
}

const textsAt = (thing: Declared, path: string) =>
	allAt(thing, path)
		.map((value) => asText(value))
		.filter(Boolean);

function textAt(thing: Declared, paths: string): string {
	const all = paths.split(' ').map((path) => textsAt(thing, path));
	const texts = all.find(({ length }) => length > 0) ?? [];
	return PLURAL.test(paths) ? texts.join('\n') : [...new Set(texts)].join(', ');
}

/** Types of prices that no longer apply. */
const OLD = /list|strikethrough|srp|regular/i;
const AMOUNT = /^\d+(\.\d+)?$/;

/** What a product costs. If its offers have different prices, it has no single price. */
async function offerOf({ rest }: Page, thing: Declared): Promise<Record<string, string>> {
	const offersAt = (...paths: string[]) =>
		paths.flatMap((path) => allAt(thing, path)).filter(isObject);
	const direct = offersAt('offers', 'offers.offers');
	const offers = direct.length > 0 ? direct : offersAt('hasVariant.offers');
	const all = await mapInTurns(offers, rest, (offer) => allAt(offer, 'priceSpecification'));
	const specified = all
		.flat()
		.filter(isObject)
		.filter((one) => !one.referenceQuantity && !OLD.test(asText(one.priceType)));
	/** The same number may be written in several ways. */
	const different = async (from: Declared[], key: string) => {
		const texts = (await mapInTurns(from, rest, (one) => textsAt(one, key))).flat().reverse();
		const keys = texts.map((text) => [AMOUNT.test(text) ? Number(text) : text, text] as const);
		return [...new Map(keys).values()].reverse();
	};
	const only = async (from: Declared[], key: string) => {
		const [first = '', ...others] = await different(from, key);
		return others.length === 0 ? first : '';
	};
	const availability = (await only(offers, 'availability')).replace(/^.*\//, '');
	const [currency = '', ...currencies] = await different(
		[...offers, ...specified],
		'priceCurrency',
	);
	const found = { availability: availability.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase() };
	if (currencies.length > 0) return found;
	const own = await different(offers, 'price');
	const prices = own.length > 0 ? own : await different(specified, 'price');
	const isRange = prices.length > 1 && prices.every((price) => AMOUNT.test(price));
	if (isRange) prices.sort((one, other) => Number(one) - Number(other));
	const [lowest = '', highest = ''] = [prices[0], prices.at(-1)];
	return {
		...{ ...found, currency, price: prices.length === 1 ? lowest : '' },
		lowPrice: (await only(offers, 'lowPrice')) || (isRange ? lowest : ''),
		highPrice: (await only(offers, 'highPrice')) || (isRange ? highest : ''),
	};
}

function hrefIn(page: Page, values: unknown[]): string {
	const texts = values.map((value) =>
		isObject(value) ? flatOf(value.url ?? value.contentUrl ?? value['@id'])[0] : value,
	);
	const first = texts.find((text) => isText(text) && !text.startsWith('data:'));
	return isText(first) ? page.absolute(plain(first), 'href') : '';
}

interface Chosen {
	thing: Declared;
	type: string;
	name: string;
	/** Its address, without the query, in which variants of a product differ. */
	place?: string;
	/** Whether another thing has the same name, such as an artist's next concert. */
	hasRival?: boolean;
}

/** Whether a text begins with one of a page's titles, or a title with the text. */
function isTitle(text: string, titles: string[]): boolean {
	const key = keyOf(text);
	const isSame = (title: string) => title.startsWith(key) || key.startsWith(title);
	return key.length > 2 && titles.some((title) => title.length > 2 && isSame(title));
}

/** The thing that a page's address or titles name. Others may be featured products. */
async function chosenOn(
	page: Page,
	titles: string[],
	{ canonical = '', 'og:url': ogUrl = '' }: Record<string, string>,
): Promise<Chosen | undefined> {
	const placeOf = (link: string, ignoreQuery = false) =>
		addressOf(page.absolute(link, 'href'), { ignoreQuery }).replace(/^https?:\/\/(www\.)?/, '');
	// An address may have parameters that the page doesn't know.
	const addresses = [page.url, canonical, ogUrl].filter(Boolean).map((link) => placeOf(link));
	const [here] = addresses;
	const links = ['url', '@id', 'mainEntityOfPage.@id', 'mainEntityOfPage', 'offers.url'];
	const best: Chosen[] = [];
	for (const thing of await declaredOn(page)) {
		await page.rest();
		const types = typesOf(thing);
		const rank = TYPES.findIndex((form) => types.some((type) => form.test(type)));
		const type = types.find((one) => TYPES[rank]?.test(one));
		const isBare = Object.keys(thing).filter((key) => !key.startsWith('@')).length < 2;
		if (!type || isBare) continue;
		const isPlace = TYPES[rank] === PLACE;
		const name = textAt(thing, ANY_NAME);
		const isNamed = isTitle(name, isPlace ? titles.slice(0, 1) : titles);
		const linked = links.flatMap((path) => allAt(thing, path)).filter(isText);
		const isOwn = linked.some((link) => !link.startsWith('#') && addresses.includes(placeOf(link)));
		if (!isNamed && (isPlace || !isOwn)) continue;
		const at = orderOf(rank, isNamed);
		const place = isOwn ? here : placeOf(textAt(thing, 'url'), true);
		const { [at]: first } = best;
		const isOther = first?.place && place && ![here, place].includes(first.place);
		if (!first || (isOther && isOwn)) best[at] = { thing, type, name, place };
		else if (isOther && first.name === name) first.hasRival = true;
	}
	return best.find((one) => one && !one.hasRival);
}

const taggedWith = (meta: Record<string, string>, names: string): string =>
	names
		.split(' ')
		.map((name) => meta[name])
		.find(Boolean) ?? '';

/** What only meta tags declare. Most lists have neither a date nor a price. */
function taggedBy(meta: Record<string, string>, heading: string): Chosen | undefined {
	const { 'og:title': title = '', 'article:published_time': date } = meta;
	const price = taggedWith(meta, PRICE_META);
	const name = isTitle(heading, [keyOf(title)]) ? heading : title;
	return name && (price || date)
		? { name, thing: { name }, type: price ? 'Product' : 'Article' }
		: undefined;
}

/** The page with the address that it declares, if no other is given. */
function addressed(page: Page, { canonical = '', 'og:url': ogUrl = '' }: Record<string, string>) {
	const declared = [canonical, ogUrl].find((url) => /^https?:/i.test(url) && URL.canParse(url));
	return page.url === '' && declared ? new Page(page.elements, declared, page.rest) : page;
}

/** Shares of a page's text. Pages of lists also declare articles and shops. */
const [EXACT, LOOSE, TAGGED] = [0.5, 0.25, 0];

/** The thing, and the largest share of its page's text that a list may have. */
export async function thingIn(given: Page) {
	const meta = await metaOn(given);
	const page = addressed(given, meta);
	const heading = page.elements.find(({ tag, key }) => tag === 'h1' && key !== '');
	const title = page.elements.find(({ tag }) => tag === 'title');
	const titles = [heading?.text ?? '', meta['og:title'] ?? '', plain(title?.raw ?? '')].map(keyOf);
	const declared = await chosenOn(page, titles, meta);
	const chosen = declared ?? taggedBy(meta, heading?.text ?? '');
	if (!chosen) return undefined;
	const { thing, type, name: anyName } = chosen;
	const isArticle = ARTICLE.test(type);
	const named = isArticle ? 'headline' : type === 'JobPosting' ? 'title' : 'name';
	const offer = await offerOf(page, thing);
	// A headline may be a summary, as on Wikipedia.
	const names = [textAt(thing, `${named} ${ANY_NAME}`), anyName];
	const name = names.find((text) => isTitle(text, titles)) ?? names[0];
	const values: Record<string, string> = { [named]: name, ...offer };
	for (const { name: field, from } of TEXTUAL) values[field] ||= textAt(thing, from);
	values.image = hrefIn(page, [...allAt(thing, 'image'), ...allAt(thing, 'thumbnailUrl')]);
	values.url = hrefIn(page, allAt(thing, 'url'));
	const more = PRODUCT.test(type) ? PRODUCT_META : isArticle ? ARTICLE_META : [];
	for (const { name: field, from } of [...META, ...more, { name: named, from: 'og:title' }]) {
		const value = taggedWith(meta, from);
		// A single price contradicts a range.
		if (field === 'price' && values.lowPrice) continue;
		values[field] ||= /image|url/.test(field) ? page.absolute(value, 'href') : value;
	}
	values.url ||= page.url;
	const fields = withoutEmpty(values);
	const doubt = await priceDoubt(page, values.price);
	const isExact = !isArticle && !PLACE.test(type);
	const found: Thing = { type, fields, doubt };
	return { thing: found, mostRelated: isExact ? EXACT : declared ? LOOSE : TAGGED };
}

/** What a page declares about its subject. @param url empty if only the page declares its address */
export async function thingOn(html: string, url: string, rest: Rest): Promise<Thing | undefined> {
	return (await thingIn(new Page(await readElements(html, rest), url, rest)))?.thing;
}

const MAX_PRICE = 60;

/** Whether people may see another price. They see zeros at the end more or less often. */
async function priceDoubt(page: Page, price = ''): Promise<string | undefined> {
	const [, whole, last = ''] = /^(\d{1,12})(?:\.(\d{0,4}?)0{0,4})?$/.exec(price) ?? [];
	if (!whole || Number(price) === 0) return undefined;
	const digits = [...whole].join("[.,'’]?");
	const more = `(?:[.,]${last}0{0,4}|${last.padEnd(2, '0')})${last ? '' : '?'}`;
	const seen = new RegExp(`(?<!\\d|\\d[.,])${digits}${more}(?![.,]?\\d)`);
	for (const { key } of page.elements) {
		await page.rest();
		if (key.length < MAX_PRICE && seen.test(key)) return undefined;
	}
	return `the declared price ${price} is not among the prices on the page`;
}
