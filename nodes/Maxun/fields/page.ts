import { keyField } from './changes';
import { definitionFields, extractAdditionalFields } from './extract';
import { formatFields } from './columns';
import { checkDefinition, definitionOf, tableIn } from './extractDefinition';
import { choice, choiceField, type Field, schemaOf } from './field';
import { withRule, type Problem } from './parameters';
import { urlField } from './robots';
import { checkRunEvery, LARGEST, scheduleFields } from './schedule';
import type { ExtractDefinition } from '../servers/definition';
import type { Condition } from '../results/conditions';
import type { TableSettings } from '../results/table';
import type { ScheduleSettings } from '../servers/types';

/** The shortest interval between checks, in minutes. */
const SHORTEST = 15;

/** These conditions never depend on expressions, so they come first. */
const shownFor = <const F extends Field>(show: Record<string, string[]>, fields: F[]) =>
	fields.map((field) => ({
		...field,
		displayOptions: { show: { ...show, ...field.displayOptions?.show } },
	}));

const [runEvery, unit, dayOfWeek, dayOfMonth, time] = scheduleFields;

const fields = [
	{ ...urlField, description: 'The page to watch' },
	{
		...runEvery,
		displayName: 'Check Every',
		description: 'Number of units between checks. At least 15 minutes, at most 1 month.',
	},
	{ ...unit, description: "Unit of time for 'Check Every'" },
	dayOfWeek,
	dayOfMonth,
	{
		...time,
		displayOptions: { show: { runEveryUnit: ['DAYS', 'WEEKS', 'MONTHS'] } },
		description:
			"Time of day to check the page, such as 07:30, in the workflow's time zone. Leave empty to check at midnight.",
	},
	{
		displayName:
			"Each check is a run of a robot. On Maxun Cloud, it uses credits. 'Poll Times' only sets how often n8n asks for the results, which is free.",
		name: 'checkNotice',
		type: 'notice',
		default: '',
	},
	choiceField('What to Compare', 'what', 'What must change for the page to count as changed', {
		noDataExpression: true,
		required: true,
		options: [
			choice('Rows', 'rows', 'Named columns, such as the products of a list with their prices'),
			choice('Text of the Page', 'text', 'All text, line by line'),
		],
		default: 'text',
	}),
] as const satisfies Field[];

/** Not an option, because users would overlook it. Without a key, a list's changes are hard to read. */
const pageKeyField = {
	...keyField,
	displayOptions: { show: { events: ['run_changed'] } },
} as const satisfies Field;

const rowFields = [...definitionFields(formatFields), pageKeyField, extractAdditionalFields()];

export const pageFields = shownFor({ watch: ['page'] }, [
	...fields,
	...shownFor({ what: ['rows'] }, rowFields),
]);

const PageForm = withRule(schemaOf([...fields]), checkInterval);
const RowsForm = withRule(withRule(schemaOf([urlField, ...rowFields]), checkDefinition), checkKey);

export interface WatchedPage {
	url: string;
	/** What to read; undefined for the page's text. */
	definition?: ExtractDefinition;
	table: TableSettings;
	keyFields: string[];
	schedule: Omit<ScheduleSettings, 'timezone'>;
	/** Which changes count, in plain language. */
	whatMatters?: string;
}

/** The page in a trigger's form. @throws ZodError for invalid values */
export function watchedPage(parameter: (name: string) => unknown): WatchedPage {
	const given = Object.fromEntries(pageFields.map(({ name }) => [name, parameter(name)]));
	const { url, what, ...schedule } = PageForm.parse(given);
	if (what === 'text') return { url, schedule, table: {}, keyFields: [] };
	const rows = RowsForm.parse(given);
	const { keyFields } = rows;
	return { url, schedule, table: tableIn(rows), keyFields, definition: definitionOf(rows) };
}

/** Rejects a key that the rows don't have. Without this check, only the first change would show it. */
function checkKey(rows: Parameters<typeof tableIn>[0] & { keyFields: string[] }): Problem {
	const message = columnProblem(tableIn(rows), rows.keyFields);
	return message ? [[['keyFields'], message]] : undefined;
}

function columnProblem({ columns = [], keepOtherColumns }: TableSettings, given: string[]) {
	const names = columns.map(({ name }) => name);
	const unknown = given.find((name) => !names.includes(name.trim()));
	if (names.length === 0 || keepOtherColumns || unknown === undefined) return undefined;
	return `must contain columns of the rows, such as '${names[0]}'. There is no column '${unknown}'`;
}

interface PageOptions {
	onlyIf: Condition[];
	whatMatters?: string;
	missingOnce: boolean;
}

/** Rejects conditions on columns that the page's rows don't have, and options that contradict each other. */
export const optionsOn =
	({ table, definition }: WatchedPage) =>
	({ options: { whatMatters, missingOnce, onlyIf } }: { options: PageOptions }): Problem => {
		if (whatMatters && missingOnce) return [[['options', 'whatMatters'], CONTRADICTION]];
		return onlyIf.flatMap(({ column }, index) => {
			const message = definition
				? columnProblem(table, column ? [column] : [])
				: column && "must be empty for 'Text of the Page'";
			return message ? [[['options', 'onlyIf', index, 'column'], message]] : [];
		});
	};

const CONTRADICTION = "can't be combined with 'Ignore What Is Missing Once', because Maxun decides";

/** Rejects intervals that schedules don't support, and those that would cost more than anybody wants. */
function checkInterval(given: { runEvery: number; runEveryUnit: string }): Problem {
	return given.runEveryUnit === 'MINUTES' && given.runEvery < SHORTEST
		? [[['runEvery'], `must be ${SHORTEST} or more for minutes`]]
		: checkRunEvery(given, { ...LARGEST, DAYS: 31, MONTHS: 1 });
}
