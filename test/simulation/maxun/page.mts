import type { Robot, Run } from './service.mts';

/** What a page shows. */
export interface Page {
	rows: Array<{ Name: string; Price: string }>;
	/** What visitors see instead. */
	refusal?: string;
}

/** An unchanged page. */
export const newPage = (key: string): Page => ({
	rows: [0, 1, 2].map((row) => ({ Name: `${key} row ${row}`, Price: `$${row + 1}.00` })),
});

const rowsOn = ({ key, page = newPage(key) }: Pick<Run, 'key' | 'page'>) =>
	page.refusal === undefined ? page.rows : [];

/** A page as text. */
export const textOn = ({ rows, refusal }: Page): string =>
	refusal ?? ['Rows', ...rows.map(({ Name, Price }) => `${Name} costs ${Price}`)].join('\n\n');

/** Nodes that find the columns by themselves call the name a title. */
const named = (row: Page['rows'][number]) => ({ ...row, Title: row.Name });

/** The values of a row that a person copies from the page. */
export const exampleOn = (key: string) => ({ Name: `${key} row 1`, Price: '$2.00' });

/** As a browser has it. A page's design is a number in its classes. */
function htmlOf(run: Run, design: number): string {
	const { page: { refusal } = {} } = run;
	if (refusal !== undefined) return `<html><body><p>${refusal}</p></body></html>`;
	const rows = rowsOn(run).map(
		({ Name, Price }) =>
			`<li class="row${design}"><b class="name${design}">${Name}</b><i class="price${design}">${Price}</i></li>`,
	);
	return `<html><body><h1>Rows</h1><ul>${rows.join('')}</ul></body></html>`;
}

/** The workflow of an extract robot that somebody has recorded. */
export function recorded(url: string, design: number): unknown[] {
	const field = (name: string) => ({ selector: `.${name}${design}`, attribute: 'innerText' });
	const fields = { Name: field('name'), Price: field('price') };
	const args = [{ listSelector: `li.row${design}`, fields, limit: 100 }];
	return [
		{ where: { url }, what: [{ action: 'scrapeList', name: 'Rows', args }] },
		{ where: { url: 'about:blank' }, what: [{ action: 'goto', args: [url] }] },
	];
}

/** The page that a workflow opens. */
export const visitedBy = (workflow: unknown): string | undefined =>
	/"goto","args":\["([^"]+)"\]/.exec(JSON.stringify(workflow ?? []))?.[1];

/** The workflow of a copy that opens another page. */
export const movedTo = (workflow: unknown[], url: string): unknown[] =>
	JSON.parse(JSON.stringify(workflow).replaceAll(`"${visitedBy(workflow)}"`, JSON.stringify(url)));

/** Whether a robot captures a whole page, so that the node learns selectors from it. */
export const isReading = ({ workflow }: Pick<Robot, 'workflow'>): boolean =>
	JSON.stringify(workflow ?? []).includes('outerHTML');

/**
 * What a run of a robot with a workflow has captured. Selectors aren't evaluated. A selector with a class of another
 * design doesn't find anything.
 */
export function capturedBy(run: Run, workflow: unknown[]) {
	const { design = 0 } = run;
	const finds = (selector: unknown) =>
		[...String(selector).matchAll(/(?:row|name|price)(\d+)/g)].every(
			([, number]) => Number(number) === design,
		);
	const texts = isReading({ workflow }) ? { HTML: htmlOf(run, design) } : {};
	const actions = workflow.flatMap((entry): unknown[] => Object(entry).what);
	const lists = actions.flatMap((action): Array<[string, object[]]> => {
		const { action: kind, name, args } = Object(action);
		if (kind !== 'scrapeList') return [];
		const { listSelector, fields } = Object(args[0]);
		const found = Object.entries(Object(fields)).filter(([, field]) =>
			finds(Object(field).selector),
		);
		const rows = finds(listSelector) ? rowsOn(run) : [];
		return [
			[
				String(name),
				rows.map((row) =>
					Object.fromEntries(found.map(([column]) => [column, Object(named(row))[column]])),
				),
			],
		];
	});
	return { texts, lists: Object.fromEntries(lists) };
}

/** Whether selectors of another design found none of a page's rows. */
export function isBlind(run: Run, robot: Robot): boolean {
	const { workflow = robot.workflow } = run;
	if (!workflow || isReading({ workflow })) return false;
	const rows = Object.values(capturedBy(run, workflow).lists).flat();
	return rows.every((row) => Object.keys(row).length === 0);
}
