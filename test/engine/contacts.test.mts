import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { newRobot } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { useOperations } from './support/details.mts';

const { sandbox, run, succeed } = useOperations({ settings: { slots: 5, runSeconds: 0.1 } });

const pageOf = (name: string) => `${sandbox.siteUrl}/kinds/${name}`;

const PHONE = { type: 'phone', value: '0302234567' };
const INSTAGRAM = { type: 'instagram', value: 'https://instagram.com/tischlerei.eiche' };
const LINKEDIN = { type: 'linkedin', value: 'https://linkedin.com/company/tischlerei-eiche' };
const OF_CONTACT_PAGE = [
	{ type: 'email', value: 'werkstatt@eiche.example' },
	{ type: 'email', value: 'jobs@eiche.example' },
	{ type: 'whatsapp', value: 'https://wa.me/491702234567' },
];
const on = (name: string, contacts: object[]) =>
	contacts.map((contact) => ({ ...contact, url: pageOf(name) }));

/** What the temporary robot captures. */
async function formatsAsked(): Promise<unknown[]> {
	const sent = await sandbox.sent();
	return sent.flatMap(({ body }) => {
		const { formats, crawlConfig } = { ...Object(body) };
		return formats ?? crawlConfig?.outputFormats ?? [];
	});
}

describe('the contacts of a page', () => {
	const scrape = async (name: string, options = {}) =>
		await run('web', 'scrape', { url: pageOf(name), output: 'contacts', options });

	it('are separate items, read from its HTML', async () => {
		const { json, hints } = await scrape('firm');
		expect(json).toEqual(on('firm', [PHONE, INSTAGRAM, LINKEDIN]));
		expect(hints).toEqual([]);
		expect(await formatsAsked()).toEqual(['html']);
	});

	it('are not an item if there are none, and a hint says so', async () => {
		const { json, hints, error } = await scrape('firm-blog');
		expect([json, error]).toEqual([[], undefined]);
		expect(hints).toEqual([`No contacts were found: ${pageOf('firm-blog')}`]);
	});

	it("follow 'If No Data' if there are none", async () => {
		const { json } = await scrape('firm-blog', { ifNoData: 'item' });
		expect(json).toEqual([{ url: pageOf('firm-blog'), hasData: false }]);
		const { error } = await scrape('firm-blog', { ifNoData: 'error' });
		expect(error?.message).toMatch(/^Run \S+ for \S+firm-blog found no contacts$/);
		expect(error?.description).toContain('Check the page in a browser');
	});

	it('cause an error if the page could not be read', async () => {
		const { json, error } = await scrape('no-such-page');
		expect(json).toEqual([]);
		expect(error?.description).toContain('no-such-page answered 404');
	});
});

describe('the contacts of a site', () => {
	it('are returned once, with the page where they were found first', async () => {
		const crawlConfig = { limit: 5, outputFormats: ['markdown'] };
		const parameters = { url: pageOf('firm'), crawlConfig, output: 'contacts' };
		const { json } = await succeed('web', 'crawl', parameters);
		const phone = { ...PHONE, value: '+49302234567' };
		expect(json).toEqual([
			...on('firm', [phone, INSTAGRAM, LINKEDIN]),
			...on('firm-contact', OF_CONTACT_PAGE),
		]);
		expect(await formatsAsked()).toEqual(['html']);
	});

	it('are read in the example', async () => {
		const example = JSON.parse(
			readFileSync('examples/contacts-of-firms-from-a-sheet.json', 'utf8'),
		);
		const { parameters } = example.nodes.find(
			({ name }: { name: string }) => name === 'Find the contacts',
		);
		const { url, crawlConfig, output } = parameters;
		expect(url).toBe('={{ $json.website }}');
		const { json } = await succeed(
			'web',
			'crawl',
			{ url, crawlConfig, output },
			{ items: [{ website: pageOf('firm') }] },
		);
		expect(json).toHaveLength(6);
	});

	it('can also be read with your own robot, with a hint if it does not capture HTML', async () => {
		const read = async (...formats: Array<'html' | 'markdown'>) => {
			const robotId = locator(await newRobot(sandbox, { url: pageOf('firm-contact'), formats }));
			return await succeed('run', 'runAndWait', { robotId, output: 'contacts' });
		};
		const { json, hints } = await read('html');
		expect(json.map(({ value }) => value)).toContain('werkstatt@eiche.example');
		expect(hints).toEqual([]);
		const markdown = await read('markdown');
		expect(markdown.json).toHaveLength(json.length);
		expect(markdown.hints.join()).toContain("Add 'HTML' to the robot's output formats");
	});

	it('of many URLs have the page and the fields of the input', async () => {
		const robotId = locator(await newRobot(sandbox, { url: pageOf('firm'), formats: ['html'] }));
		const urls = [pageOf('firm'), pageOf('firm-contact')].join('\n');
		const { json } = await succeed('run', 'runOnUrls', { robotId, urls, output: 'contacts' });
		expect(json).toHaveLength(8);
		for (const item of json) expect(item.pageUrl).toBe(item.url);
	});
});
