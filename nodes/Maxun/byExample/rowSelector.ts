import type { Fit } from './fit';
import { isIn, type Page } from './page';
import type { Element } from './reader';
import { ancestorsOf, directPath, matches, namesOf, pathOf, placesTo, tagOf } from './selectors';

const isTelling = ({ tag }: Element) =>
	/^(ul|ol|dl|table|tbody|main|section|article|nav|aside)$/.test(tag);

/** A selector that selects a list's rows and as few other elements as possible, and what it selects. */
export async function rowSelector(page: Page, { row, rows, columns, isGrouped }: Fit) {
	const [root] = page.elements;
	const parent = row.parent ?? root;
	const above = ancestorsOf(row);
	const own = [...namesOf(row).filter((name) => rows.every(name.matches)), tagOf(row)];
	const names = own.slice(0, -1).map((name) => pathOf(name));
	const scopes = [...above.flatMap(namesOf), ...above.filter(isTelling).map(tagOf)];
	const named = [...names, ...scopes.flatMap((scope) => own.map((step) => pathOf(scope, step)))];
	const lowest = (isGrouped && parent.parent) || parent;
	const group = isGrouped ? [tagOf(parent)] : [];
	const direct = above
		.filter((ancestor) => isIn(lowest, ancestor))
		.flatMap((ancestor) => {
			const places = ancestor === lowest ? [] : placesTo(lowest, ancestor);
			const names = ancestor.tag === 'body' ? [tagOf(ancestor)] : namesOf(ancestor);
			return names.flatMap((name) =>
				own.map((step) => directPath([name, ...places, ...group, step])),
			);
		});
	let best = { css: '', rows: [] as Element[], cost: Infinity };
	const judge = (css: string, selected: Element[]) => {
		const others = selected.filter((element) => !wanted.has(element)).length;
		const cost = (rows.length - (selected.length - others)) * 3 + others;
		if (cost < best.cost) best = { css, rows: selected, cost };
	};
	const wanted = new Set(rows);
	const same = page.elements.filter(({ tag }) => tag === row.tag);
	for (const paths of [named, direct]) {
		for (const path of paths) {
			if (best.cost === 0) return best;
			await page.rest();
			judge(
				path.css,
				same.filter((element) => matches(path, element, root)),
			);
		}
		for (const { path } of columns.filter((column) => column.path.css)) {
			judge(
				`${best.css}:has(${path.css})`,
				best.rows.filter((element) => page.first(element, path)),
			);
		}
	}
	return best;
}
