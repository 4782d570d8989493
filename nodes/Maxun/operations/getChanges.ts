import { changeOptions, changeSettings, comparisonOf, keyField } from '../fields/changes';
import { optionsOf } from '../fields/collections';
import { formatFields, foundTableFields } from '../fields/columns';
import { dataChecksOfChangesField } from '../fields/dataChecks';
import { definitionFields, extractAdditionalFields } from '../fields/extract';
import { checkDefinition, definitionOf, tableIn } from '../fields/extractDefinition';
import { allShownIf, choice, choiceField, shownIf, type Values } from '../fields/field';
import { robotField } from '../fields/locators';
import {
	checkPageUrl,
	inputFieldsFields,
	maxQueuedField,
	fieldsOfPage,
	urlsField,
} from '../fields/pages';
import { paceFields, repairField } from '../fields/runOptions';
import { pageWaitFields } from '../fields/waiting';
import { faultOf, MaxunFault } from '../http/fault';
import { MINUTE } from '../http/time';
import { PAGE_URL } from '../results/rows';
import { BEING_CHECKED } from '../runs/changes';
import { startKeptOrNew } from '../runs/reuse';
import { startOf } from '../servers/dates';
import { definitionFor, formOfRows, lessonFor } from './extractRobots';
import { waitingOperation, type OperationContext } from './operation';

const properties = [
	{ ...urlsField, description: 'The pages to check, one per line, or an expression' },
	choiceField('What to Compare', 'what', 'What to check for changes', {
		noDataExpression: true,
		required: true,
		options: [
			choice(
				'Data of a Robot',
				'robot',
				'What your own robot reads. Each page gets a copy of the robot.',
			),
			choice('Rows', 'rows', 'Named columns, such as the products of a list with their prices'),
			choice('Text of the Page', 'text', 'All text, line by line'),
		],
		default: 'text',
	}),
	shownIf({ what: ['robot'] }, robotField),
	...allShownIf({ what: ['rows'] }, [...definitionFields(formatFields), extractAdditionalFields()]),
	shownIf({ what: ['rows', 'robot'] }, keyField),
	comparisonOf(changeOptions),
	optionsOf([
		choiceField(
			'First Check',
			'firstCheck',
			'What to return when the node checks a page for the first time',
			{
				options: [
					choice('Return All', 'all', 'Return all rows as added'),
					choice('Return Nothing', 'nothing', 'Only store the rows for the next check'),
				],
				default: 'nothing',
				ifAbsent: 'nothing',
			},
		),
		...inputFieldsFields,
		maxQueuedField,
		dataChecksOfChangesField,
		...paceFields,
		...pageWaitFields,
		shownIf({ '/what': ['rows', 'robot'] }, repairField),
		...allShownIf({ '/what': ['rows'] }, foundTableFields),
	]),
];

type Form = Values<(typeof properties)[number]>;

/** Undefined if the page's rows aren't compared. n8n has no value for a hidden field. */
function rowsForm({ what, specifyFields = 'automatic', additionalFields, urls, ...given }: Form) {
	if (what !== 'rows') return undefined;
	const { skipSelectorCheck = false, startUrl } = additionalFields ?? {};
	return {
		...given,
		specifyFields,
		url: urls[0],
		additionalFields: { skipSelectorCheck, startUrl },
	};
}

/** The page is left to another execution that is checking it, unless its run hangs. */
async function isBeingChecked(
	{ known, maxun, hint }: OperationContext,
	url: string,
	timeoutMinutes: number,
): Promise<boolean> {
	const run = known?.activeRun;
	if (!run) return false;
	const startedAt = run.status === 'running' ? startOf(run) : undefined;
	if ((startedAt ?? Infinity) + timeoutMinutes * MINUTE < maxun.serverTime()) {
		await faultOf(maxun.runs.cancel(run.id, run.robotId ?? undefined));
		return false;
	}
	hint(BEING_CHECKED, 1, url);
	return true;
}

export const getChanges = waitingOperation({
	value: 'getChanges',
	name: 'Get Changes',
	action: 'Watch pages for changes',
	description: 'Check pages, and return what has changed since the previous execution',
	builderHint:
		'Use this after a Schedule Trigger to watch pages, for example prices, jobs or terms. It does not need a loop, and returns each change once.',
	properties,
	rule: (given) => {
		const rows = rowsForm(given);
		return rows && checkDefinition(rows);
	},
	needs: ({ robots, extractRobots }) => ({ robots, extractRobots }),
	each: ({ urls, ...given }) => urls.map((url) => ({ ...given, urls: [url] })),
	check: ({ urls: [url] }, { isTool }) => {
		if (isTool) throw notForTools();
		checkPageUrl(url);
	},
	lesson: (given) => {
		const rows = rowsForm(given);
		return rows && lessonFor(rows);
	},
	start: async ({ robots, extractRobots }, given, context) => {
		const { urls, options, what, robotId = '' } = given;
		const [url] = urls;
		const { timeoutMinutes } = options;
		if (await isBeingChecked(context, url, timeoutMinutes)) return [];
		const rows = rowsForm(given);
		const create = async (name: string) => {
			if (rows) return await extractRobots.create(name, await definitionFor(rows, context));
			if (what === 'robot') return await robots.duplicate(robotId, url, name);
			return await robots.create('scrape', { name, url, formats: ['markdown'] });
		};
		return await startKeptOrNew(context, { operation: 'changes', timeoutMinutes, create }, url);
	},
	sharesRuns: true,
	fields: fieldsOfPage,
	settings: (given) => {
		const { urls, options, comparison, keyFields } = given;
		const [url] = urls;
		const rows = rowsForm(given);
		const table = rows ? tableIn(rows) : {};
		return {
			...options,
			...table,
			output: 'rows',
			onTimeout: 'error',
			cancelOnTimeout: true,
			subject: url,
			address: url,
			origin: { [PAGE_URL]: url },
			lists: rows && definitionOf(rows).lists,
			keeping: {
				word: 'watches',
				page: url,
				form: rows ? formOfRows(rows) : JSON.stringify([given.what, given.robotId]),
				isAutomatic: rows?.specifyFields === 'automatic',
				copyOf: given.robotId,
				mayBeOutdated: given.what === 'robot' || (rows && definitionOf(rows).steps.length > 0),
			},
			changes: { ...options, ...changeSettings({ ...comparison, keyFields }), ...table },
		};
	},
});

const notForTools = () =>
	new MaxunFault(
		'AI agents cannot use Get Changes, because it compares executions of a workflow',
		'Use it after a Schedule Trigger. For an agent, use Scrape Page or Extract Rows',
		{ forModel: 'Read the page with another tool' },
	);
