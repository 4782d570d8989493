import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resting } from '../../nodes/Maxun/http/concurrency';
import { capturedOf } from '../../nodes/Maxun/results/captured';
import { siteMapOf, type SiteMapSettings } from '../../nodes/Maxun/results/siteMap';

const SITE = 'https://www.shop.example';
const page = (path: string, depth: number | undefined, ...links: string[]) => ({
	links,
	metadata: { url: SITE + path, title: `Title of ${path}`, depth },
});
const PAGES = [
	page('/', 0, `${SITE}/p/2`, 'https://shop.example/p/1#top', 'https://other.example/', 'mailto:x'),
	page('/p/1', 1, `${SITE}/p/1/`, `${SITE}/p/1/reviews`, `${SITE}/blog?page=2`),
];
const all = { url: `${SITE}/`, maxUrls: 10, maxPages: 10, includePaths: [], excludePaths: [] };

async function mapped(settings: Partial<SiteMapSettings> = {}, crawlData = PAGES) {
	const hints: string[] = [];
	const captured = capturedOf({ id: 'r', status: 'success', data: { crawlData } });
	const hint = (text: string) => void hints.push(text);
	const rows = await siteMapOf(captured, { ...all, ...settings }, hint, resting());
	return { rows: rows.map((row) => Object.values(row)), hints };
}

describe('a map of a site', () => {
	it('lists the opened pages and their links by depth, each once', async () => {
		expect(await mapped()).toEqual({
			rows: [
				[`${SITE}/`, 'Title of /', 0],
				[`${SITE}/p/1`, 'Title of /p/1', 1],
				[`${SITE}/p/2`, null, 1],
				[`${SITE}/p/1/reviews`, null, 2],
				[`${SITE}/blog?page=2`, null, 2],
			],
			hints: [],
		});
	});

	it.each([
		[{ includePaths: ['/p/*'] }, ['/p/1', '/p/2', '/p/1/reviews']],
		[{ includePaths: ['/p/*', '/'], excludePaths: ['*/reviews'] }, ['/', '/p/1', '/p/2']],
		[{ includePaths: ['/p'] }, []],
	])('with %j', async (settings, paths) => {
		expect(await (await mapped(settings)).rows.map(([url]) => url)).toEqual(
			paths.map((path) => SITE + path),
		);
	});

	it('with stars, a pattern matches what the same regular expression matches', async () => {
		const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '.', '/'), maxLength: 8 });
		const property = fc.asyncProperty(letters, letters, async (pattern, path) => {
			const url = new URL(`${SITE}/${path}`);
			const expression = pattern.replaceAll('.', '\\.').replaceAll('*', '.*');
			const isMatch = new RegExp(`^/${expression}$`).test(url.pathname);
			const pages = [page(url.pathname, 0)];
			expect((await mapped({ includePaths: [`/${pattern}`] }, pages)).rows).toHaveLength(
				isMatch ? 1 : 0,
			);
		});
		await fc.assert(property, { numRuns: 3_000 });
	});

	it.each([
		[{ maxUrls: 2 }, /more URLs than 'Max URLs' allows: 5/],
		[{ maxPages: 2 }, /'Pages to Open'/],
	])('says that it is incomplete with %j', async (settings, hint) => {
		expect((await mapped(settings)).hints).toEqual([expect.stringMatching(hint)]);
	});

	it('of a site that redirects to another host contains the URLs there', async () => {
		expect((await mapped({ url: 'https://old.example' })).rows).toHaveLength(5);
	});

	it('lacks depths that Maxun does not return', async () => {
		const pages = [page('/', undefined, `${SITE}/a`), page('/b', undefined)];
		expect(await (await mapped({}, pages)).rows.map(([, , depth]) => depth)).toEqual([
			null,
			null,
			null,
		]);
	});

	it('ends with URLs whose depth is unknown', async () => {
		const pages = [page('/a', 2), page('/b', undefined), page('/c', 1)];
		const rows = [
			[`${SITE}/c`, 'Title of /c', 1],
			[`${SITE}/a`, 'Title of /a', 2],
		];
		expect((await mapped({ maxUrls: 2 }, pages)).rows).toEqual(rows);
	});
});
