import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { isObject } from '../http/values';
import { isXPath, needsButton, PAGINATIONS } from '../servers/definition';
import type { Capture, ExtractDefinition, List, Step } from '../servers/definition';
import { selectorProblem } from '../servers/sdk/selector';
import {
	collection,
	duplicateOf,
	entries,
	jsonObject,
	mustBe,
	oneOf,
	optionalText,
	optionalWebAddress,
	webAddress,
} from './parameters';

// Reads the form of an extract robot, or the same as JSON. The schemas accept incomplete entries, because the checks
// below can then say which field or column is incomplete.

const ATTRIBUTES: Record<string, string> = { text: 'innerText', link: 'href', image: 'src' };

const optionalNumber = () =>
	z.preprocess((value) => (value === '' ? undefined : value), z.coerce.number().optional());

const objects = <S extends z.ZodRawShape>(shape: S) =>
	entries(z.object(shape, mustBe('must contain only objects')));

const captureShape = {
	name: optionalText(),
	selector: optionalText(),
	take: optionalText(),
	attribute: optionalText(),
};

export const capturesParameter = () => objects(captureShape);

const listShape = {
	name: optionalText(),
	itemSelector: optionalText(),
	rowLimit: optionalNumber(),
	pagination: optionalText(),
	paginationSelector: optionalText(),
	columns: capturesParameter(),
};

const stepShape = {
	action: optionalText(),
	selector: optionalText(),
	// Passwords may begin or end with spaces.
	text: z
		.union(
			[z.string(), z.number().transform(String)],
			mustBe("must contain text or a number as the 'text' of each step"),
		)
		.optional(),
	seconds: optionalNumber(),
	screens: optionalNumber(),
	url: optionalText(),
	name: optionalText(),
};

const parts = {
	fields: capturesParameter(),
	lists: objects(listShape),
	steps: objects(stepShape),
};

const PARTS = Object.keys(parts);

/** The JSON may contain a password, so its error only keeps the position. */
const positionOf = (reason: string) =>
	/(position|line) \d.*$/.exec(reason)?.[0] ?? 'check brackets, quotation marks and commas';

const entriesOf = (value: unknown): IDataObject[] => {
	const list = isObject(value) ? value.values : value;
	return Array.isArray(list) ? list.filter(isObject) : [];
};

/** What contradicts the form of the entries. Without this, a misspelled setting would have no effect. */
function unknownKeys(given: Record<string, unknown>): string[] {
	const lists = entriesOf(given.lists);
	const checks: Array<[entries: IDataObject[], shape: object, kind: string]> = [
		[entriesOf(given.fields), captureShape, 'a field'],
		[lists, listShape, 'a list'],
		[lists.flatMap(({ columns }) => entriesOf(columns)), captureShape, 'a column'],
		[entriesOf(given.steps), stepShape, 'a step'],
	];
	return checks.flatMap(([found, shape, kind]) => {
		const unknown = [...new Set(found.flatMap(Object.keys))].filter((key) => !(key in shape));
		if (unknown.length === 0) return [];
		const [names, known] = [unknown.join("', '"), Object.keys(shape).join(', ')];
		return [`must not contain '${names}' in ${kind}. Use ${known}`];
	});
}

const jsonParameter = z.preprocess(
	(value) => (value === undefined ? {} : value),
	jsonObject(positionOf)
		.superRefine((given, context) => {
			const unknown = Object.keys(given).filter((name) => !PARTS.includes(name));
			if (unknown.length > 0) {
				context.addIssue({
					code: 'custom',
					fatal: true,
					message: `must contain only ${PARTS.join(', ')}, but contains '${unknown.join("', '")}'`,
				});
			}
			for (const message of unknownKeys(given)) {
				context.addIssue({ code: 'custom', fatal: true, message });
			}
		})
		.pipe(z.object(parts)),
);

/** The parameters of an operation that describes an extract robot. */
export const definitionParameters = {
	url: webAddress(),
	specifyFields: oneOf(['fields', 'json']).default('fields'),
	...parts,
	json: jsonParameter,
	additionalFields: collection(z.object({ startUrl: optionalWebAddress() })),
};

type Given = z.output<z.ZodObject<typeof definitionParameters>>;
type GivenCapture = Given['fields'][number];
type GivenList = Given['lists'][number];
type GivenStep = Given['steps'][number];

/** What the robot captures. Only for parameters without problems. */
export function definitionOf(given: Given): ExtractDefinition {
	const { fields, lists, steps } = given.specifyFields === 'json' ? given.json : given;
	return {
		url: given.url,
		startUrl: given.additionalFields.startUrl,
		fields: fields.map(captureOf),
		lists: lists.map(listOf),
		steps: steps.map(stepOf).flatMap((step) => (Array.isArray(step) ? [] : step)),
	};
}

/** An attribute without anything to take is what to take. */
const takeOf = ({ take, attribute }: GivenCapture) => take ?? (attribute ? 'attribute' : 'text');

export const captureOf = ({
	name = '',
	selector = '',
	take,
	attribute,
}: GivenCapture): Capture => ({
	name,
	selector,
	attribute: ATTRIBUTES[takeOf({ take, attribute })] ?? attribute ?? '',
});

const paginationOf = (given = 'automatic') => PAGINATIONS.find((known) => known === given);

const listOf = ({ name = '', itemSelector = '', ...list }: GivenList): List => ({
	name,
	itemSelector,
	rowLimit: list.rowLimit ?? 100,
	pagination: paginationOf(list.pagination) ?? 'automatic',
	paginationSelector: list.paginationSelector,
	columns: list.columns.map(captureOf),
});

/** A step, or what contradicts its action. */
function stepOf(given: GivenStep, index: number): Step | string[] {
	const { action, selector = '', text = '', seconds = 10, screens = 1, url = '' } = given;
	const subject = `step ${index + 1}`;
	const unless = (problems: string[], step: Step) => (problems.length > 0 ? problems : step);
	const atElement = selectorProblems(subject, selector);
	const tooLong = secondsProblems(subject, seconds);
	if (action === 'click') return unless(atElement, { action, selector });
	if (action === 'type') {
		const withoutText = text ? [] : [`must contain text for ${subject}`];
		return unless([...atElement, ...withoutText], { action, selector, text });
	}
	if (action === 'waitForElement') {
		return unless([...atElement, ...tooLong], { action, selector, seconds });
	}
	if (action === 'wait') return unless(tooLong, { action, seconds });
	if (action === 'scroll') {
		const isValid = Number.isInteger(screens) && screens >= 1 && screens <= 100;
		if (isValid) return { action, screens };
		return [`must contain a whole number from 1 to 100 for 'Screens' in ${subject}`];
	}
	if (action === 'goTo') {
		if (webAddress().safeParse(url).success) return { action, url };
		return [`must contain a URL for ${subject}`];
	}
	if (action === 'screenshot') return { action, name: given.name ?? 'Screenshot' };
	return [`must contain a known action for ${subject}`];
}

const secondsProblems = (subject: string, seconds: number): string[] =>
	seconds > 0 && seconds <= 120
		? []
		: [`must contain a number up to 120 for 'Seconds' in ${subject}`];

/** Refuses what Maxun would refuse, lose or mix up. Says which field, column, list or step is meant. */
export function checkDefinition(given: Given, context: z.RefinementCtx): void {
	const isJson = given.specifyFields === 'json';
	const { fields, lists, steps } = isJson ? given.json : given;
	const report = (part: string, problems: string[]) => {
		for (const message of problems) {
			context.addIssue({ code: 'custom', path: [isJson ? 'json' : part], message });
		}
	};
	const isEmpty = fields.length === 0 && lists.length === 0;
	report('lists', isEmpty ? ['must contain a list, unless there is a field'] : []);
	report('fields', captureProblems(fields, 'field'));
	report('fields', fields.flatMap(singleFieldProblems));
	report('lists', listProblems(lists, given.additionalFields.startUrl !== undefined));
	report('lists', sharedNames(fields, lists));
	report(
		'steps',
		steps.map(stepOf).flatMap((step) => (Array.isArray(step) ? step : [])),
	);
}

export function captureProblems(captures: GivenCapture[], kind: 'field' | 'column'): string[] {
	const twice = duplicateOf(captures.map(({ name }) => name));
	return [
		...(twice === undefined ? [] : [`must not contain two ${kind}s named '${twice}'`]),
		...captures.flatMap(({ name, selector, attribute, ...capture }, index) => {
			const take = takeOf({ ...capture, attribute });
			const subject = name ? `the ${kind} '${name}'` : `${kind} ${index + 1}`;
			const isKnown = take === 'attribute' || take in ATTRIBUTES;
			return [
				...(name ? [] : [`must contain a name for ${subject}`]),
				...selectorProblems(subject, selector),
				...(kind === 'column' ? pageSelectorProblems(subject, selector) : []),
				...(isKnown
					? []
					: [`must contain a 'Return Value' for ${subject}: text, link, image or attribute`]),
				...(take === 'attribute' && !attribute ? [`must contain an attribute for ${subject}`] : []),
			];
		}),
	];
}

/** The robot fails when it runs, although Maxun accepts the selector. */
const singleFieldProblems = ({ name = '', selector = '' }: GivenCapture): string[] =>
	isXPath(selector)
		? [`must contain a CSS selector for the field '${name}'. Maxun supports XPath only in lists`]
		: [];

export function selectorProblems(subject: string, selector: string | undefined): string[] {
	if (!selector) return [`must contain a selector for ${subject}`];
	const problem = selectorProblem(selector);
	return problem ? [`must contain a valid selector for ${subject}. '${selector}' ${problem}`] : [];
}

/** Browsers copy the selector of a column from the page's root, and it matches nothing within an item. */
const pageSelectorProblems = (subject: string, selector = ''): string[] =>
	/^(#[\w-]+|html|body)(\s*[>+~]|\s+\S)/.test(selector)
		? [
				`must contain a selector that is relative to the item for ${subject}. '${selector}' starts from the top of the page, so keep only its last part`,
			]
		: [];

function listProblems(lists: GivenList[], isBehindSteps: boolean): string[] {
	const twice = duplicateOf(lists.map(({ name }) => name));
	return [
		...(twice === undefined ? [] : [`must not contain two lists named '${twice}'`]),
		...lists.flatMap((list, index) => {
			const subject = list.name ? `the list '${list.name}'` : `list ${index + 1}`;
			return [
				...(list.name ? [] : [`must contain a name for ${subject}`]),
				...selectorProblems(subject, list.itemSelector),
				...rowLimitProblems(subject, list.rowLimit),
				...paginationProblems(subject, list),
				...(isBehindSteps ? undetectable(subject, list) : []),
				...captureProblems(list.columns, 'column'),
				...mixedColumns(subject, list),
			];
		}),
	];
}

const rowLimitProblems = (subject: string, limit = 100): string[] =>
	Number.isInteger(limit) && limit >= 1 && limit <= 10_000
		? []
		: [`must contain a whole number from 1 to 10,000 for 'Max Rows' in ${subject}`];

function paginationProblems(
	subject: string,
	{ pagination, paginationSelector }: GivenList,
): string[] {
	if (paginationOf(pagination) === undefined) {
		return [`must contain one of these as 'Pagination' for ${subject}: ${PAGINATIONS.join(', ')}`];
	}
	if (!needsButton(pagination)) return [];
	return selectorProblems(`the 'Pagination Selector' of ${subject}`, paginationSelector);
}

/** Maxun detects these only on the first page that it opens. */
const undetectable = (
	subject: string,
	{ columns, pagination = 'automatic' }: GivenList,
): string[] => [
	...(columns.length > 0
		? []
		: [`must contain columns for ${subject}, because 'Start URL' is set`]),
	...(pagination === 'automatic'
		? [
				`must contain a 'Pagination' other than Automatic for ${subject}, because 'Start URL' is set`,
			]
		: []),
];

/** Maxun loses such columns without an error. */
function mixedColumns(subject: string, { itemSelector = '', columns }: GivenList): string[] {
	const other = columns.find(
		({ selector }) => selector && isXPath(selector) !== isXPath(itemSelector),
	);
	if (!other) return [];
	const [used, given] = isXPath(itemSelector) ? ['XPath', 'CSS'] : ['CSS', 'XPath'];
	return [
		`must use one kind of selector for ${subject}. Its item selector uses ${used}, and the column '${other.name ?? ''}' uses ${given}`,
	];
}

/** Rows contain single fields, too. */
function sharedNames(fields: GivenCapture[], lists: GivenList[]): string[] {
	const columns = lists.flatMap((list) => list.columns.map(({ name }) => name));
	const shared = fields.find(({ name }) => name !== undefined && columns.includes(name));
	return shared ? [`must not contain a column with the name of the field '${shared.name}'`] : [];
}
