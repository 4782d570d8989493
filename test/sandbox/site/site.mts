import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
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
	PAGE_COUNT,
	plainPage,
	productPage,
	productPart,
	productsPage,
} from './pages.mts';

/** The demo shop under `/site`. */
export async function registerSite(root: FastifyInstance, world: World): Promise<void> {
	shopPages(root, world);
	await customerPages(root, world);
	kindPages(root);
	root.get('/site/*', (_request, reply) => missing(reply));
}

const show = (reply: FastifyReply, page: string) =>
	reply.type('text/html; charset=utf-8').send(page);

const missing = (reply: FastifyReply) =>
	show(reply.code(404), plainPage('Not found', 'There is no such page.'));

function shopPages(root: FastifyInstance, world: World): void {
	for (const path of ['/', '/site']) root.get(path, (_request, reply) => reply.redirect('/site/'));
	root.get('/site/', (_request, reply) => show(reply, homePage(world.state)));
	root.get('/site/more', (_request, reply) => show(reply, morePage(world.state)));
	root.get('/site/endless', (_request, reply) => show(reply, endlessPage(world.state)));
	root.get('/site/articles', (_request, reply) => show(reply, articlesPage()));
	root.get<{ Querystring: { page?: string } }>('/site/products', ({ query }, reply) => {
		const page = Number(query.page ?? '1');
		const exists = Number.isInteger(page) && page >= 1 && page <= PAGE_COUNT;
		return exists ? show(reply, productsPage(world.state, page)) : missing(reply);
	});
	root.get<{ Params: { page: string } }>('/site/parts/:page', ({ params }) =>
		productPart(world.state, Number(params.page)),
	);
	root.get<{ Params: { id: string } }>('/site/products/:id', ({ params }, reply) => {
		const product = PRODUCTS.find(({ id }) => String(id) === params.id);
		return product ? show(reply, productPage(product, world.state)) : missing(reply);
	});
	root.get<{ Params: { slug: string } }>('/site/articles/:slug', ({ params }, reply) => {
		const article = ARTICLES.find(({ slug }) => slug === params.slug);
		return article ? show(reply, articlePage(article)) : missing(reply);
	});
	root.get<{ Querystring: { seconds: number } }>('/site/slow', async ({ query }, reply) => {
		const gone = new AbortController();
		reply.raw.once('close', () => gone.abort());
		const { signal } = gone;
		await sleep(query.seconds * 1000, undefined, { signal }).catch(() => undefined);
		return await show(reply, plainPage('Slow page', `This page took ${query.seconds} seconds.`));
	});
}

/** The shop's customer. URLs, HTML and JSON write the password in other ways. */
export const CUSTOMER = { email: 'ada@example.com', password: 'secret&"1" ä' };

const COOKIE = 'customer=ada';

/** A page that requires a login with a form. */
async function customerPages(root: FastifyInstance, world: World): Promise<void> {
	await root.register(async (app) => {
		app.addContentTypeParser(
			'application/x-www-form-urlencoded',
			{ parseAs: 'string' },
			(_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
		);
		app.get('/site/login', (_request, reply) => show(reply, loginPage()));
		app.post('/site/login', (request, reply) => {
			const { email, password } = { ...z.record(z.string()).safeParse(request.body).data };
			const isKnown = email === CUSTOMER.email && password === CUSTOMER.password;
			if (!isKnown) return show(reply.code(403), plainPage('Wrong password', 'Try again.'));
			return reply.header('set-cookie', `${COOKIE}; Path=/site`).redirect('/site/account', 303);
		});
		app.get('/site/account', (request, reply) =>
			request.headers.cookie?.includes(COOKIE)
				? show(reply, accountPage(world.state))
				: reply.redirect('/site/login', 303),
		);
	});
}

/** Common kinds of pages, as their sites write them. */
function kindPages(root: FastifyInstance): void {
	const folder = new URL('kinds/', import.meta.url);
	for (const file of readdirSync(folder)) {
		const page = readFileSync(new URL(file, folder), 'utf8');
		root.get(`/site/kinds/${file.replace('.html', '')}`, (_request, reply) => show(reply, page));
	}
}
