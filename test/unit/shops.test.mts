import { expect, it } from 'vitest';
import { induce } from '../../nodes/Maxun/byExample/induce';
import { shopOf, type Product } from '../helpers/shops.mjs';

const SHOPS = Number(process.env.TEST_SHOPS ?? 300);
const pause = async () => await Promise.resolve();

/** What is wrong with the rows that are found in a shop, without a hint. */
async function faultsIn(seed: number): Promise<string[]> {
	const { html, products, example, hasRating } = shopOf(seed);
	if (example === undefined) return [];
	const names: Array<keyof Product> = [
		'Name',
		'Price',
		...(hasRating ? ['Rating' as const] : []),
		'Link',
	];
	const columns = names.map((name) => ({
		name,
		attribute: name === 'Link' ? 'href' : 'innerText',
		values: [name === 'Link' ? '' : example[name]],
	}));
	const found = await induce(html, 'https://shop.example/', columns, pause);
	const list = 'fields' in found ? found.list : undefined;
	if (!list) return ['no list'];
	const doubted = new Set(list.columns.filter(({ doubtful }) => doubtful).map(({ name }) => name));
	const isSaid = list.hasRival || list.outside.rows > 0;
	return products.flatMap((product) => {
		const row = list.rows.find(({ Link }) => Link === product.Link);
		if (!row) return isSaid ? [] : ['left out'];
		return names.flatMap((name) => {
			if (row[name] === product[name] || doubted.has(name)) return [];
			return row[name] ? [`wrong: ${name}`] : [`empty: ${name}`];
		});
	});
}

it(`each wrong value in ${SHOPS} shops has a hint`, { timeout: 3_600_000 }, async () => {
	const faults: Record<string, number[]> = {};
	for (let seed = 0; seed < SHOPS; seed++) {
		for (const fault of new Set(await faultsIn(seed))) (faults[fault] ??= []).push(seed);
	}
	const count = (kind: string) =>
		new Set(
			Object.entries(faults).flatMap(([fault, seeds]) => (fault.startsWith(kind) ? seeds : [])),
		).size;
	const shown = JSON.stringify(faults).slice(0, 2000);
	expect([count('wrong'), count('no list')], shown).toEqual([0, 0]);
	expect(count('empty') + count('left out'), shown).toBeLessThanOrEqual(SHOPS * 0.005);
});
