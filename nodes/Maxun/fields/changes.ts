import { conditionProblem, type Condition, type ConditionName } from '../results/conditions';
import { entriesField } from './collections';
import { choice, type Field } from './field';
import { loadedFrom, ROBOTS } from './lists';
import { optionalText, type Problem } from './parameters';

const upTo = (length: number) => Array.from({ length }, (_, index) => index);

/** The names of a page's columns. The editor only notices changes of single values. */
const COLUMN_NAMES = [
	...upTo(20).flatMap((entry) => [
		`examples.values[${entry}].name`,
		`fields.values[${entry}].name`,
	]),
	...upTo(3).flatMap((list) =>
		upTo(20).map((column) => `lists.values[${list}].columns.values[${column}].name`),
	),
];

const columnList = loadedFrom('getColumns', [...ROBOTS, 'json', ...COLUMN_NAMES]);

const ignoreField = {
	displayName: 'Ignore Column Names or IDs',
	name: 'ignoreFields',
	type: 'multiOptions',
	typeOptions: columnList,
	default: [],
	ifAbsent: [],
	description:
		'Columns whose changes do not count, such as a counter. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
} as const satisfies Field;

export const keyField = {
	displayName: 'Key Column Names or IDs',
	name: 'keyFields',
	type: 'multiOptions',
	typeOptions: columnList,
	default: [],
	ifAbsent: [],
	description:
		'Columns that identify a row, such as its link. Without them, a changed row counts as removed and added. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
} as const satisfies Field;

const condition = (value: ConditionName, name: string, description: string) => ({
	name,
	value,
	description,
});

/** In alphabetical order, as n8n requires. */
const CONDITIONS = [
	condition('becomes', 'Becomes', 'The text is now the value, and was not before'),
	condition('changesBy', 'Changes By at Least', 'The number falls or rises by the value or more'),
	condition('contains', 'Contains', 'The new or changed text contains the value'),
	condition('doesNotContain', 'Does Not Contain', 'The new or changed text lacks the value'),
	condition('fallsBelow', 'Falls Below', 'Is now below the value, and was not before'),
	condition('fallsBy', 'Falls By at Least', 'The number falls by the value or more'),
	condition('hasChanged', 'Has Changed', 'The row or the column has changed'),
	condition('isAbove', 'Is Above', 'Is above the value after each change'),
	condition('isBelow', 'Is Below', 'Is below the value after each change'),
	condition('isGone', 'Is Gone', 'The row or page has been removed'),
	condition('isNew', 'Is New', 'The row or page has been added'),
	condition('isNoLonger', 'Is No Longer', 'The text was the value before'),
	condition('noLongerContains', 'No Longer Contains', 'The text contained the value before'),
	condition('nowContains', 'Now Contains', 'The text lacked the value before'),
	condition('risesAbove', 'Rises Above', 'Is now above the value, and was not before'),
	condition('risesBy', 'Rises By at Least', 'The number rises by the value or more'),
];

const without = (...names: ConditionName[]) => ({
	show: {
		condition: CONDITIONS.map(({ value }) => value).filter((value) => !names.includes(value)),
	},
});

const conditionFields = [
	{
		displayName: 'Condition',
		name: 'condition',
		type: 'options',
		options: CONDITIONS,
		default: 'fallsBelow',
		description: 'What must be true of a change',
	},
	{
		displayName: 'Column Name or ID',
		name: 'column',
		type: 'options',
		typeOptions: columnList,
		displayOptions: without('isGone', 'isNew'),
		default: '',
		schema: optionalText(),
		description:
			'The column that Maxun captured. Leave empty for the text of a page or a whole row. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{
		displayName: 'Value',
		name: 'value',
		type: 'string',
		required: true,
		displayOptions: without('hasChanged', 'isGone', 'isNew'),
		default: '',
		placeholder: 'e.g. 49.99',
		description:
			'A number with a decimal point, a date, or a text. For "At Least", a number, a percentage such as 10%, or days.',
	},
] as const satisfies Field[];

const onlyIfField = {
	...entriesField(
		'Only If',
		'onlyIf',
		'Condition',
		'Changes that count. The workflow only continues with rows or pages that meet the conditions.',
		conditionFields,
	),
	rule: (conditions: Condition[]): Problem =>
		conditions.flatMap((given, index) => {
			const [field, message] = conditionProblem(given) ?? [];
			return field ? [[[index, field], message]] : [];
		}),
} as const satisfies Field;

const matchField = {
	displayName: 'Match Conditions',
	name: 'matchConditions',
	type: 'options',
	options: [
		choice('All', 'all', "All conditions of 'Only If'"),
		choice('Any', 'any', "At least one condition of 'Only If'"),
	],
	default: 'any',
	ifAbsent: 'all',
	description: 'How many conditions a change must meet',
} as const satisfies Field;

const ignoreQueryField = {
	displayName: 'Ignore Query Parameters',
	name: 'ignoreQuery',
	type: 'boolean',
	default: true,
	ifAbsent: false,
	description:
		'Whether links that differ only after the question mark count as the same, even in key columns',
} as const satisfies Field;

const missingOnceField = {
	displayName: 'Ignore What Is Missing Once',
	name: 'missingOnce',
	type: 'boolean',
	default: true,
	ifAbsent: false,
	description:
		'Whether a missing value, or a missing row with a key, only counts as a change if the next run lacks it, too',
} as const satisfies Field;

export const changeOptions = [
	ignoreField,
	ignoreQueryField,
	matchField,
	missingOnceField,
	onlyIfField,
];

export const changeFields = [...changeOptions, keyField];
