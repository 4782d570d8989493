import { columnBy } from '../byExample/columns';
import { judge, type Column } from '../byExample/judge';
import { isFormer, shapeOf } from '../byExample/kinds';
import { sampleOf, type Page } from '../html/page';
import type { Slot } from './slots';
import type { Ranked } from './rank';
import { kindOf } from './valueKinds';

export interface FoundColumn extends Column {
	from: Slot;
}

/** How many slots to try, and how many rows show whether a way to them is certain. */
const [MOST_SLOTS, SAMPLE] = [16, 30];
/** The smallest share of rows with a value, and the largest share of doubtful cells. */
const [LEAST_FILLED, MOST_DOUBTS] = [0.3, 0.2];

/** The first of the values whose shape is the most frequent, such as `$5` rather than `from $18`. */
function ofUsualShape(values: string[]): number {
	const shapes = values.map(shapeOf);
	const counts = shapes.map((shape) => shapes.filter((other) => other === shape).length);
	return counts.indexOf(Math.max(...counts));
}

/** A way to each place of a list. Values that no selector reads from most rows don't become columns. */
export async function foundColumns(
	page: Page,
	{ slots, sample, title, link }: Ranked,
): Promise<FoundColumn[]> {
	const rows = sampleOf(sample, SAMPLE);
	const columns: FoundColumn[] = [];
	for (const [index, from] of slots.slice(0, MOST_SLOTS).entries()) {
		const cells = [...from.cells];
		// A price column may begin with `Sold out`.
		const isUsual = (value: string) => kindOf(from.attribute, [value]) === from.kind;
		const usual = cells.filter(([, one]) => isUsual(one.value));
		const known = usual.length > 0 ? usual : cells;
		const at = from.kind === 'Price' ? ofUsualShape(known.map(([, one]) => one.value)) : 0;
		const [number, { element, top, value }] = known[at];
		const row = sample[number];
		// The judge recognizes columns of former prices by their names.
		const name = `${isFormer(element, row) ? 'old ' : ''}${index}`;
		const example = { name, attribute: from.attribute, values: [value], found: [[element]] };
		const ways = [...new Set([element, top])].map((one) => ({ element: one, row }));
		const column = await columnBy(page, example, ways, rows);
		const isKnown = ({ path, attribute }: Column) =>
			path.css === column?.path.css && attribute === from.attribute;
		if (!column || columns.some(isKnown)) continue;
		// Most products may be sold out.
		const shape = column.shape ?? (from.kind === 'Price' ? shapeOf(column.element.key) : undefined);
		columns.push({ ...column, from, shape });
	}
	const judged = await judge(page, rows, columns, true);
	return columns.filter(({ from }, at) => {
		const filled = judged.filter(({ cells }) => cells[at]);
		const doubtful = filled.filter(({ doubts }) => doubts[at]).length;
		// A hint reports doubts about prices, numbers and dates.
		const isSure = from.kind !== 'Text' || doubtful <= filled.length * MOST_DOUBTS;
		const isMain = from === title || from === link;
		return isMain || (isSure && filled.length >= rows.length * LEAST_FILLED);
	});
}
