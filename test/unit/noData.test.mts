import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { capturedOf } from '../../nodes/Maxun/results/captured';
import { capturedNothing } from '../../nodes/Maxun/results/outcome';

const run = (data: IDataObject | null, more: IDataObject = {}) =>
	capturedOf({ id: 'x', status: 'success', data, ...more });
const unread = { url: 'https://a.example.com/', error: 'net::ERR_CONNECTION_REFUSED' };
const read = { url: 'https://a.example.com/b', markdown: '# B' };

describe('a run captured nothing', () => {
	it.each<[string, IDataObject | null]>([
		['without data', null],
		['with empty lists', { listData: [], crawlData: [], markdown: '' }],
		['with a search without results', { searchData: { query: 'desk', results: [] } }],
		['if no page of a crawl could be read', { crawlData: [unread, unread] }],
		['if the only page could not be read', { error: 'net::ERR_CONNECTION_REFUSED' }],
	])('%s', (_, data) => {
		expect(capturedNothing(run(data))).toBe(true);
	});
});

describe('a run captured something', () => {
	it.each<[string, IDataObject | null, IDataObject?]>([
		['if one page of a crawl could be read', { crawlData: [unread, read] }],
		['if a list has a column named error', { listData: [{ error: 'E42' }] }],
		['if single fields contain an error', { textData: { error: 'E42' } }],
		['if there is only a screenshot', null, { screenshots: ['https://a.example.com/1.png'] }],
	])('%s', (_, data, more) => {
		expect(capturedNothing(run(data, more))).toBe(false);
	});

	it('unless it failed', () => {
		expect(capturedNothing(run(null, { status: 'failed' }))).toBe(false);
	});
});
