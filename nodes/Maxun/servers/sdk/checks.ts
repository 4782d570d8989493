import { BUTTONS, type ExtractDefinition, type List, type Step } from '../definition';
import { canCheckColumn, columnIn, onPage, rowXPath, simplerThan } from './selector';

// When the server creates a robot, it tries its single fields. So the node sends each selector as a single field, and
// also simpler selectors, which show which part of a selector is on the page.

export interface Check {
	subject: string;
	entered: string;
	sent: string;
	isSimpler: boolean;
	rows?: string;
}

/** The whole selector comes first, then simpler selectors, nearest first. */
export const checksOf = ({ isChecked, steps, fields, lists }: ExtractDefinition): Check[] => [
	...steps.flatMap((step, index) => inputChecks(step, index, steps.slice(0, index))),
	...(isChecked
		? [
				...fields.flatMap(({ name, selector }) => checks(`'${name}'`, selector, (css) => css)),
				...lists.flatMap(listChecks),
			]
		: []),
];

/** The server repeats these names, so they don't contain text that a robot types. */
export const nameOfCheck = (index: number) => `check${index}`;

const checks = (
	subject: string,
	selector: string,
	sent: (selector: string) => string,
	rows?: string,
): Check[] =>
	[selector, ...simplerThan(selector)].map((entered, index) => ({
		subject,
		entered,
		sent: sent(entered),
		isSimpler: index > 0,
		rows,
	}));

function listChecks({ name, rowSelector, pagination, paginationSelector = '', columns }: List) {
	const rows = rowXPath(rowSelector);
	const within = (selector: string) => columnIn(rows, selector).check ?? rows;
	return [
		...checks(`'${name} › Row Selector'`, rowSelector, rowXPath),
		...columns
			.filter(({ selector }) => selector !== '' && canCheckColumn(selector))
			.flatMap((column) => checks(`'${name} › ${column.name}'`, column.selector, within, rows)),
		...(BUTTONS.includes(pagination)
			? checks(`'${name} › Pagination'`, paginationSelector, onPage)
			: []),
	];
}

/** Leaves out an input on a page that the server may not see when it creates the robot. */
const inputChecks = (step: Step, index: number, earlier: Step[]): Check[] =>
	step.action === 'type' && !isBehindStep(earlier)
		? checks(`step ${index + 1}, 'Type Text'`, step.selector ?? '', onPage)
		: [];

export const isBehindStep = (earlier: Step[]) =>
	earlier.some(({ action }) => action === 'click' || action === 'goTo');
