import { induce, type Induced, type NotInduced } from '../byExample/induce';
import { keyOf } from '../html/reader';
import type { Rest } from '../http/concurrency';
import { counted, firstOf, quoted, short } from '../http/text';
import type { Hint } from '../results/hint';
import { RunFault } from '../results/runFault';
import type { Capture, Example, ExtractDefinition } from '../servers/definition';
import type { Found, Learnt } from './types';

type ByExample = Pick<ExtractDefinition, 'url' | 'examples'>;

/** The selectors of what examples stand for on a page. @throws RunFault if they don't stand for anything */
export async function learnByExample(html: string, given: ByExample, rest: Rest): Promise<Found> {
	const { examples = [] } = given;
	const induced = await inducedFrom(html, given, rest);
	const { list } = induced;
	const fields = induced.fields.filter((field) => !isButton(examples, field));
	const unknown = fields.find(({ name }) => firstValue(examples, name) === '');
	if (unknown) throw noRows(unknown.name);
	const hints: Learnt['hints'] = [];
	tell(induced, examples, (...hint) => void hints.push(hint));
	const found = list && {
		rowSelector: list.rowSelector,
		columns: list.columns.map(stripped),
		paginationSelector: buttonIn(induced, examples),
	};
	return { hints, selectors: { fields: fields.map(stripped), list: found }, rows: list?.rows };
}

/** The selector of the button whose text is an example. @throws RunFault if the page doesn't have it */
export async function findButton(html: string, given: ByExample, rest: Rest) {
	const { examples = [] } = given;
	if (examples.length === 0) return undefined;
	return buttonIn(await inducedFrom(html, given, rest), examples);
}

async function inducedFrom(html: string, { url, examples = [] }: ByExample, rest: Rest) {
	const induced = await induce(html, url, examples, rest);
	if (!('fields' in induced)) throw notInduced(induced, examples, url);
	return induced;
}

const isButton = (examples: Example[], { name }: Capture) =>
	examples.some((one) => one.isSingle && one.name === name);

const buttonIn = ({ fields }: Induced, examples: Example[]) =>
	fields.find((field) => isButton(examples, field))?.selector;

const stripped = ({ name, selector, attribute }: Capture) => ({ name, selector, attribute });

const firstValue = (examples: Example[], name: string) =>
	examples.find((example) => example.name === name)?.values[0] ?? '';

const suchAs = (value: string) => `such as '${short(value, 40)}'`;

const FOUND = 'Found by example';

function tell({ list, fields }: Induced, examples: Example[], hint: Hint): void {
	if (!list) hint(ONCE, 1, quoted(fields.map(({ name }) => name)));
	if (list) {
		const { columns, rows, hasRival, outside, unlike } = list;
		const shown = columns.map(({ name }) => `${name} '${short(rows[0]?.[name] ?? '', 40)}'`);
		hint(FOUND, 1, `${counted(rows.length, 'row')}. First row: ${shown.join(', ')}`);
		if (hasRival) hint(RIVAL, 1, quoted(columns.map(({ name }) => name)));
		const places = counted(outside.places, 'other place');
		if (outside.rows > 0)
			hint(ALIKE, 1, `${counted(outside.rows, 'row')} in ${places}, ${suchAs(outside.value)}`);
		if (unlike > 0) hint(UNLIKE, 1, counted(unlike, 'row'));
		for (const { name, values } of examples) {
			const [, another = ''] = values;
			const isRead = rows.some(
				(row) => row[name] !== undefined && keyOf(row[name]) === keyOf(another),
			);
			if (another !== '' && columns.some((column) => column.name === name) && !isRead)
				hint("No row has the value of 'Second Example'", 1, `'${name}' (${another})`);
		}
	}
	for (const { name, isLonger } of [...(list?.columns ?? []), ...fields])
		if (isLonger) hint(LONGER, 1, `'${name}'`);
	for (const { name, doubtful, doubts } of list?.columns ?? [])
		if (doubtful)
			hint(DOUBTFUL, 1, `'${name}' (in ${counted(doubts, 'row')}, ${suchAs(doubtful)})`);
}

const ONCE =
	'The examples do not repeat together on the page, so each column is read once. For rows, copy all examples from one row. Columns';
const RIVAL =
	"Another list on the page has the same examples. The node reads the longer list. To read the other list, enter values of one of its other rows in 'Second Example'. Columns";
const ALIKE =
	"The page has more rows of this kind, which are not read. To include them, enter the values of one of these rows in 'Second Example'. There are";
const UNLIKE =
	'Some rows have only a few of the columns. They may be something else, such as ads. There are';
const LONGER =
	'Some columns contain more text than their examples, because the page has no smaller element. Columns';
const DOUBTFUL =
	"Some columns may have a wrong value in some rows, such as an old price, because the rows differ. If a value in parentheses is wrong, enter the right values of its row in 'Second Example'. Columns";

function notInduced(reason: NotInduced, examples: Example[], url: string): RunFault {
	const forModel =
		'Use values from one row of the page, exactly as they appear there. Read the page first if you do not know them';
	if ('elsewhere' in reason)
		return new RunFault(
			`The example of '${reason.elsewhere}' is not in the row of the other examples`,
			"Copy all values of 'Example' from the same row of the page",
			'the examples are in different rows',
			{ forModel },
		);
	if ('unlinked' in reason)
		return new RunFault(
			`The page has no link or picture in or next to the example of '${reason.unlinked}'`,
			"Enter a text that is a link, or the link's address. To read the text itself, set 'Value to Get' to 'Text'",
			'the example is not a link',
			{ forModel },
		);
	const names = reason.missing.map(
		({ name }) => `'${name}' ('${short(firstValue(examples, name), 60)}')`,
	);
	const similar = reason.missing
		.filter(({ similar: texts }) => texts.length > 0)
		.slice(0, 5)
		.map(({ name, similar: texts }) => {
			const shown = quoted(texts.map((text) => short(text, 60)));
			return `The most similar texts for '${name}' are ${shown}. `;
		})
		.join('');
	return new RunFault(
		`The page does not contain the example of ${firstOf(names, 5)}: ${url}`,
		`${similar}Copy the value from the page. If it appears only after a click or a login, add 'Steps'`,
		'the page does not contain the examples',
		{ forModel: similar + forModel },
	);
}

const noRows = (name: string) =>
	new RunFault(
		`'${name}' has no example, and the other examples do not repeat on the page`,
		'Enter an example, or check that the examples are in a list of the page',
		'the examples do not repeat',
	);
