import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { useOperations } from './support/details.mts';
import { Triggers } from './support/triggers.mts';

const { sandbox, run, succeed } = useOperations({ settings: { slots: 5, runSeconds: 0.1 } });
const triggers = new Triggers(sandbox);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function documents(data: object, robotId: string = DEMO.article): Promise<IDataObject[]> {
	const [runId = ''] = await sandbox.control.runs({ robotId, run: { data } });
	const { json } = await succeed('run', 'get', { runId: locator(runId), output: 'documents' });
	return json;
}

const page = (url: string, markdown: string, more = {}) => ({
	markdown,
	metadata: { url, title: `Title of ${url}`, language: 'en', ...more },
	scrapedAt: new Date().toISOString(),
});

const metadataOf = (documents: IDataObject[]) => documents.map(({ metadata }) => Object(metadata));
const idsOf = (documents: IDataObject[]) => metadataOf(documents).map(({ id }) => String(id));

describe('documents', () => {
	it('a page has its text, URL, title, language and date', async () => {
		const modifiedTime = '2026-03-14T09:00:00Z';
		const crawlData = [page('https://example.com/a', '# A\n\nText', { modifiedTime })];
		expect(await documents({ crawlData })).toEqual([
			{
				text: '# A\n\nText',
				metadata: {
					url: 'https://example.com/a',
					title: 'Title of https://example.com/a',
					language: 'en',
					date: modifiedTime,
					hash: expect.stringMatching(/^[0-9a-f]{64}$/),
					id: expect.stringMatching(UUID),
				},
			},
		]);
	});

	it('an unchanged page returns exactly the same document in a later run', async () => {
		const crawlData = [page('https://example.com/a', '# A'), page('https://example.com/b', '# B')];
		const first = await documents({ crawlData });
		const second = await documents({ crawlData: [...crawlData].reverse() });
		expect(second.reverse()).toEqual(first);
	});

	it('a changed page has the same ID and another hash', async () => {
		const read = async (text: string) =>
			metadataOf(await documents({ crawlData: [page('https://example.com/a', text)] }));
		const [[before], [after]] = [await read('A'), await read('B')];
		expect(after.id).toBe(before.id);
		expect(after.hash).not.toBe(before.hash);
	});

	it('each document has its own ID, even if two have the same URL', async () => {
		const crawlData = ['A', 'B', 'C'].map((text) => page('https://example.com/a', text));
		const ids = idsOf(await documents({ crawlData }));
		expect(new Set(ids).size).toBe(3);
	});

	it('rows become one line per field, and rows with the same content become one document', async () => {
		const listData = [{ Product: 'Desk', Price: 249 }, { Product: 'Lamp' }, { Product: 'Lamp' }];
		const found = await documents({ listData });
		expect(found.map(({ text }) => text)).toEqual(['Product: Desk\nPrice: 249', 'Product: Lamp']);
		expect(new Set(idsOf(found)).size).toBe(2);
	});

	it('the ID of a scraped page depends on the robot, not on the text', async () => {
		const other = await newRobot(sandbox);
		const [first] = idsOf(await documents({ markdown: '# A' }));
		const [again] = idsOf(await documents({ markdown: '# B' }));
		const [another] = idsOf(await documents({ markdown: '# A' }, other));
		expect(again).toBe(first);
		expect(another).not.toBe(first);
	});

	it('single fields next to a list form a document, which keeps its ID if they change', async () => {
		const listData = [{ url: 'https://example.com/a', description: 'A desk', Price: 249 }];
		const [row, first] = await documents({ listData, textData: { Updated: 'Monday' } });
		const [, again] = await documents({ listData, textData: { Updated: 'Tuesday' } });
		expect([first?.text, again?.text]).toEqual(['Updated: Monday', 'Updated: Tuesday']);
		expect(row?.text).toContain('Price: 249');
		expect(idsOf([first ?? {}])).toEqual(idsOf([again ?? {}]));
	});
});

it('a site that is crawled twice returns the same documents, without the temporary robots', async () => {
	const parameters = { url: `${sandbox.siteUrl}/articles`, output: 'documents' };
	const first = await run('web', 'crawl', parameters);
	const second = await run('web', 'crawl', parameters);
	expect(first.json.length).toBeGreaterThan(2);
	expect(second.json).toEqual(first.json);
	expect(first.json[0]).toMatchObject({
		text: expect.stringContaining('#'),
		metadata: { url: expect.stringContaining('/articles'), title: expect.any(String) },
	});
});

it('a trigger returns one item per document, and the event if there are no documents and the user wants it', async () => {
	const robotId = await newRobot(sandbox);
	const events = async () => {
		const given = { output: 'documents', options: { ifNoData: 'item' } };
		const host = await triggers.host([robotId], given);
		await host.listen();
		const items = await host.waitForItems(1);
		return items.map(({ json }) => json);
	};
	const crawlData = [page('https://example.com/a', '# A'), page('https://example.com/b', '# B')];
	const expected = await documents({ crawlData }, robotId);
	expect(await events()).toEqual(expected);
	await documents({ crawlData: [] }, robotId);
	expect(await events()).toMatchObject([{ event: 'run_completed', run: { hasData: false } }]);
});
