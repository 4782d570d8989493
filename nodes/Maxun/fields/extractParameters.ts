import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { isObject } from '../http/values';
import { PAGINATIONS } from '../servers/definition';
import type { Capture, ExtractDefinition, List } from '../servers/definition';
import { formatShape } from './columns';
import { stepOf, stepShape } from './extractSteps';
import {
	collection,
	entries,
	flag,
	jsonObject,
	mustBe,
	oneOf,
	optionalNumber,
	optionalText,
	optionalWebAddress,
	webAddress,
} from './parameters';

// Reads the form of an extract robot, or the same as JSON. The schemas accept incomplete entries, because `extractChecks.ts`
// can then say which field or column is incomplete.

export const ATTRIBUTES: Record<string, string> = { text: 'innerText', link: 'href', image: 'src' };

const objects = <S extends z.ZodRawShape>(shape: S) =>
	entries(z.object(shape, mustBe('must contain only objects')));

const captureShape = {
	name: optionalText(),
	selector: optionalText(),
	take: optionalText(),
	attribute: optionalText(),
	...formatShape,
};

const capturesParameter = () => objects(captureShape);

const listShape = {
	name: optionalText(),
	rowSelector: optionalText(),
	rowLimit: optionalNumber(),
	pagination: optionalText(),
	paginationSelector: optionalText(),
	columns: capturesParameter(),
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

/** Additional fields. */
export const definitionOptions = {
	checkSelectors: flag().default(true),
	startUrl: optionalWebAddress(),
};

/** The parameters of an operation that describes an extract robot. */
export const definitionParameters = {
	url: webAddress(),
	specifyFields: oneOf(['fields', 'json']).default('fields'),
	...parts,
	json: jsonParameter,
	additionalFields: collection(z.object(definitionOptions)),
};

export type Given = z.output<z.ZodObject<typeof definitionParameters>>;
export type GivenCapture = Given['fields'][number];
export type GivenList = Given['lists'][number];

/** The parts of the form, or of the JSON. */
export const partsOf = (given: Given) => (given.specifyFields === 'json' ? given.json : given);

/** What the robot captures. Only for parameters without problems. */
export function definitionOf(given: Given): ExtractDefinition {
	const { fields, lists, steps } = partsOf(given);
	const { startUrl } = given.additionalFields;
	return {
		url: given.url,
		startUrl,
		isChecked: isChecked(given),
		fields: fields.map(captureOf),
		lists: lists.map(listOf),
		steps: steps.map(stepOf).flatMap((step) => (Array.isArray(step) ? [] : step)),
	};
}

/** Maxun carries out no steps for the check, so it only sees the first page. */
export const isChecked = ({ additionalFields: { checkSelectors, startUrl } }: Given) =>
	checkSelectors && startUrl === undefined;

/** An attribute without anything to take is what to take. */
export const takeOf = ({ take, attribute }: Pick<GivenCapture, 'take' | 'attribute'>) =>
	take ?? (attribute ? 'attribute' : 'text');

const captureOf = ({ name = '', selector = '', take, attribute }: GivenCapture): Capture => ({
	name,
	selector,
	attribute: ATTRIBUTES[takeOf({ take, attribute })] ?? attribute ?? '',
});

export const paginationOf = (given = 'none') => PAGINATIONS.find((known) => known === given);

const listOf = ({ rowSelector = '', ...list }: GivenList, index: number): List => ({
	name: nameOf(list, index),
	rowSelector,
	rowLimit: list.rowLimit ?? 100,
	pagination: paginationOf(list.pagination) ?? 'none',
	paginationSelector: list.paginationSelector,
	columns: list.columns.map(captureOf),
});

/** Rows don't contain the name of their list, so it is optional. */
export const nameOf = ({ name }: Pick<GivenList, 'name'>, index: number) =>
	name ?? `List ${index + 1}`;
