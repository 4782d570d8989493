import { describe, expect, it } from 'vitest';
import { extracted } from '../helpers/recordings.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { carryOut } from './engine/workflow.mts';
import { Fetcher } from './engine/fetcher.mts';
import { Tab } from './engine/tab.mts';

// A real server read these lists. The sandbox returns the same rows.

/** Line breaks depend on a browser's layout. */
const inOneLine = (rows: Array<Record<string, string | null>>) =>
	rows.map((row) =>
		Object.fromEntries(
			Object.entries(row).map(([name, value]) => [name, value?.replace(/\s+/g, ' ')]),
		),
	);

it.each(extracted.lists)('$name', async ({ name, page, config, rows }) => {
	const tab = new Tab(new Fetcher(), new AbortController().signal);
	tab.show(`https://shop.example/${page}`, extracted.pages[page] ?? '');
	const workflow = [{ what: [{ action: 'scrapeList', name, args: [config] }] }];
	const { lists } = await carryOut(workflow, tab);
	expect(inOneLine(lists[name] ?? [])).toEqual(inOneLine(rows));
});

describe('on several pages of the demo shop', () => {
	const sandbox = useSandbox();

	it.each(extracted.paginations)('$name', async ({ name, path, config, products }) => {
		const tab = new Tab(new Fetcher(), new AbortController().signal);
		const goto = { action: 'goto', args: [`${sandbox.siteUrl}${path}`] };
		const workflow = [{ what: [goto, { action: 'scrapeList', name, args: [config] }] }];
		const { lists } = await carryOut(workflow, tab);
		expect(lists[name]?.map(({ Product }) => Product)).toEqual(products);
	});
});
