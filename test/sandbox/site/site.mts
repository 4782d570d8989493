import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { notFound, parse } from '../errors.mts';
import type { World } from '../world.mts';
import { ARTICLES, PRODUCTS } from './catalogue.mts';
import {
	accountPage,
	articlePage,
	articlesPage,
	endlessPage,
	homePage,
	loginPage,
	morePage,
	pageCount,
	plainPage,
	priceOf,
	productPage,
	productPart,
	productsPage,
	publishedAt,
	robotsTxt,
	sitemapXml,
} from './pages.mts';

const MOST_SECONDS = 120;
const HTML = 'text/html; charset=utf-8';

/** The demo site under `/site`, plus the two files for crawlers at the origin. */
export async function registerSite(root: FastifyInstance, world: World): Promise<void> {
	shopPages(root, world);
	await customerPages(root, world);
	journalPages(root);
	kindPages(root);
	oddPages(root);
	priceRoutes(root, world);
	for (const path of ['/robots.txt', '/site/robots.txt']) {
		root.get(path, async (request, reply) =>
			reply.type('text/plain').send(robotsTxt(`http://${request.host}`)),
		);
	}
	for (const path of ['/sitemap.xml', '/site/sitemap.xml']) {
		root.get(path, async (request, reply) =>
			reply.type('application/xml').send(sitemapXml(`http://${request.host}`)),
		);
	}
}

function shopPages(root: FastifyInstance, world: World): void {
	root.get('/', async (_request, reply) => reply.redirect('/site/'));
	root.get('/site', async (_request, reply) => reply.redirect('/site/'));
	root.get('/site/', async (request, reply) => {
		const journal = journalLink(request.hostname, request.host);
		return reply.type(HTML).send(homePage(world.state, journal));
	});
	root.get<{ Querystring: { page?: string } }>('/site/products', async (request, reply) => {
		const page = Number(request.query.page ?? '1');
		if (!Number.isInteger(page) || page < 1 || page > pageCount()) return missing(reply);
		return reply.type(HTML).send(productsPage(world.state, page));
	});
	root.get('/site/more', async (_request, reply) => reply.type(HTML).send(morePage(world.state)));
	root.get('/site/endless', async (_request, reply) =>
		reply.type(HTML).send(endlessPage(world.state)),
	);
	root.get<{ Params: { page: string } }>('/site/parts/:page', async (request) =>
		productPart(world.state, Number(request.params.page)),
	);
	root.get<{ Params: { id: string } }>('/site/products/:id', async (request, reply) => {
		const product = PRODUCTS.find(({ id }) => String(id) === request.params.id);
		return product ? reply.type(HTML).send(productPage(product, world.state)) : missing(reply);
	});
}

/** The customer of the shop. */
export const CUSTOMER = { email: 'ada@example.com', password: 'secret-1' };

const COOKIE = 'customer=ada';

/** A page that requires a login with a form. */
async function customerPages(root: FastifyInstance, world: World): Promise<void> {
	await root.register(async (app) => {
		app.addContentTypeParser(
			'application/x-www-form-urlencoded',
			{ parseAs: 'string' },
			(_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
		);
		app.get('/site/login', async (_request, reply) => reply.type(HTML).send(loginPage()));
		app.post('/site/login', async (request, reply) => {
			const { email, password } = { ...z.record(z.string()).safeParse(request.body).data };
			const isKnown = email === CUSTOMER.email && password === CUSTOMER.password;
			if (!isKnown) {
				return reply.code(403).type(HTML).send(plainPage('Wrong password', 'Try again.'));
			}
			return reply.header('set-cookie', `${COOKIE}; Path=/site`).redirect('/site/account', 303);
		});
		app.get('/site/account', async (request, reply) =>
			request.headers.cookie?.includes(COOKIE)
				? reply.type(HTML).send(accountPage(world.state))
				: reply.redirect('/site/login', 303),
		);
	});
}

function journalPages(root: FastifyInstance): void {
	root.get('/site/articles', async (_request, reply) => reply.type(HTML).send(articlesPage()));
	root.get<{ Params: { slug: string } }>('/site/articles/:slug', async (request, reply) => {
		const article = ARTICLES.find(({ slug }) => slug === request.params.slug);
		if (article === undefined) return missing(reply);
		reply.header('last-modified', publishedAt(article).toUTCString());
		return reply.type(HTML).send(articlePage(article));
	});
	root.get('/site/archive', async (_request, reply) =>
		reply
			.type(HTML)
			.send(plainPage('Archive', 'This page is in the sitemap, yet nothing links to it.')),
	);
}

/** Pages of the kinds that people read most, as their sites write them. */
function kindPages(root: FastifyInstance): void {
	const folder = new URL('kinds/', import.meta.url);
	for (const file of readdirSync(folder)) {
		const page = readFileSync(new URL(file, folder), 'utf8');
		root.get(`/site/kinds/${file.replace('.html', '')}`, async (_request, reply) =>
			reply.type(HTML).send(page),
		);
	}
}

/** Private and slow pages. */
function oddPages(root: FastifyInstance): void {
	root.get('/site/checkout', async (_request, reply) =>
		reply.type(HTML).send(plainPage('Basket', 'Your basket is empty.')),
	);
	root.get('/site/private/notes', async (_request, reply) =>
		reply.type(HTML).send(plainPage('Staff notes', 'Crawlers are asked to stay away from here.')),
	);
	root.get<{ Querystring: { seconds?: string } }>('/site/slow', async (request, reply) => {
		const seconds = Math.min(MOST_SECONDS, Math.max(0, Number(request.query.seconds ?? '10') || 0));
		const gone = new AbortController();
		request.raw.once('close', () => gone.abort());
		reply.raw.once('close', () => gone.abort());
		await sleep(seconds * 1000, undefined, { signal: gone.signal }).catch(() => undefined);
		return reply.type(HTML).send(plainPage('Slow page', `This page took ${seconds} seconds.`));
	});
	root.get('/site/*', async (_request, reply) => missing(reply));
}

function priceRoutes(root: FastifyInstance, world: World): void {
	const change = z.object({ id: z.number(), price: z.number().positive() }).strict().nullish();
	root.post('/site/_prices', (request) => {
		const body = parse(change, request.body);
		const { state, store } = world;
		if (body) {
			if (!PRODUCTS.some(({ id }) => id === body.id)) throw notFound(`Product ${body.id}`);
			state.prices[body.id] = body.price;
		} else {
			for (const product of PRODUCTS) state.prices[product.id] = priceOf(product, state) + 1;
		}
		store.touch();
		return { prices: state.prices };
	});
	root.post('/site/_reset', () => {
		world.state.prices = {};
		world.store.touch();
		return { prices: {} };
	});
}

/** On `localhost`, the journal also has its own subdomain. */
function journalLink(hostname: string, host: string): string {
	if (hostname !== 'localhost') return '';
	return ` <a href="http://journal.${host}/site/articles">Journal on its own subdomain</a>`;
}

function missing(reply: FastifyReply): FastifyReply {
	return reply.code(404).type(HTML).send(plainPage('Not found', 'There is no such page.'));
}
