import { beforeAll, expect, it } from 'vitest';
import { DEMO } from './index.mts';
import type { CloudClient } from '../helpers/client.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox({ settings: { runSeconds: 0 } });
let owner: CloudClient;

beforeAll(async () => {
	owner = sandbox.owner;
});

const text = async (path: string) => await (await fetch(`${sandbox.url}${path}`)).text();

it('the site has a shop with product pages', async () => {
	expect(await text('/site/')).toContain('Useful things');
	expect(await text('/site/products?page=2')).toContain('Stone mortar');
	expect(await text('/site/products/3')).toContain('$39.99');
	expect((await fetch(`${sandbox.siteUrl}/products?page=4`)).status).toBe(404);
});

it('the site has a sitemap and a robots.txt', async () => {
	expect(await text('/robots.txt')).toContain('Disallow: /site/private/');
	const sitemap = await text('/sitemap.xml');
	expect(sitemap).toContain(`<loc>${sandbox.siteUrl}/archive</loc>`);
	expect(sitemap).toContain(`<loc>${sandbox.siteUrl}/products/24</loc>`);
});

it('the site has a slow page', async () => {
	const from = Date.now();
	expect(await text('/site/slow?seconds=0.3')).toContain('0.3 seconds');
	expect(Date.now() - from).toBeGreaterThan(290);
});

it('robots see changed shop prices', async () => {
	const change = async (body?: unknown) =>
		await fetch(`${sandbox.siteUrl}/_prices`, {
			method: 'POST',
			...(body !== undefined && {
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			}),
		});
	expect((await change({ id: 1, price: 199 })).status).toBe(200);
	expect((await change({ id: 99, price: 1 })).status).toBe(404);
	expect((await owner.run(DEMO.products)).data).toMatchObject({
		listData: expect.arrayContaining([expect.objectContaining({ Price: '$199.00' })]),
	});
	await change();
	expect(await text('/site/products/1')).toContain('$200.00');
	await fetch(`${sandbox.siteUrl}/_reset`, { method: 'POST' });
	expect(await text('/site/products/1')).toContain('$249.00');
});
