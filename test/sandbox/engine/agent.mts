import { load } from 'cheerio';
import type { Recipe, Robot } from '../model.mts';
import type { World } from '../world.mts';
import { keywords } from './content.mts';

const ROW = 'ul.products > li.product';
/** Where the real server also finds rows: in a text's paragraphs. */
const PARAGRAPH = { name: 'Extracted rows', row: 'p', fields: { Label: 'b', Link: 'a@href' } };
const COLUMNS = { Category: '.category', Name: '.name', Price: '.price', Stock: '.stock' };

/** Builds an agent that reads the shop's products, with the columns that its prompt mentions, or all columns. */
export async function planAgent(
	world: World,
	{ prompt, url = null }: Robot,
	signal: AbortSignal,
): Promise<{ url: string; recipe: Recipe }> {
	if (/\bimpossible\b/i.test(prompt ?? '')) {
		throw new Error('The agent could not work out how to extract what the prompt asks for');
	}
	const page = url ?? `${world.origin}/site/products`;
	const { body } = await world.fetcher.page(page, signal);
	const shown = load(body);
	if (shown(ROW).length === 0) {
		if (shown('p').length === 0) throw new Error(`Nothing on ${page} repeats`);
		return { url: page, recipe: { fields: null, list: PARAGRAPH } };
	}
	const wanted = keywords(prompt ?? '').map((word) => word.replace(/s$/, ''));
	const named = Object.entries(COLUMNS).filter(([name]) => wanted.includes(name.toLowerCase()));
	const columns = named.length > 0 ? Object.fromEntries(named) : COLUMNS;
	const list = { name: 'Extracted rows', row: ROW, fields: { ...columns, Link: 'a@href' } };
	return { url: page, recipe: { fields: null, list } };
}
