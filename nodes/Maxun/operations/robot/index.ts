import { choiceField, flagField, named, textField } from '../../fields/field';
import { additionalFields, filters, sorted, updateFields } from '../../fields/collections';
import { crawlConfigField } from '../../fields/crawl';
import { documentField, promptField } from '../../fields/documents';
import { formatsField } from '../../fields/formats';
import { robotField } from '../../fields/locators';
import { checkSelectedFields, limitFields, robotOutputFields, wanted } from '../../fields/output';
import { clearableText, mustNotBeEmpty, text } from '../../fields/parameters';
import { nameField, smartQueriesField, uniqueNameField, urlField } from '../../fields/robots';
import { queryField, searchConfigChanges, searchConfigField } from '../../fields/search';
import { recover } from '../../http/fault';
import { documentForm } from '../../http/multipart';
import { withoutUndefined } from '../../http/request';
import { entryOutput, LISTED_ROBOT_FIELDS, USEFUL_ROBOT_FIELDS } from '../../results/robotOutput';
import { withoutTemporary } from '../../runs/expiry';
import { called, deletion, operation, reading, type Resource } from '../operation';
import * as create from './create';

const remove = deletion(
	'robot',
	'Delete a robot and all its runs permanently',
	[robotField],
	({ robots }) => robots.delete,
);

const duplicate = operation({
	...called('duplicate', 'Duplicate', 'robot'),
	description:
		'Copy a robot, without its schedule and webhooks, to use it on another page with the same structure',
	properties: [
		robotField,
		{ ...urlField, description: 'The page that the copy opens' },
		additionalFields([nameField]),
	],
	needs: ({ robots }) => robots.duplicate,
	run: async (duplicateRobot, { robotId, url, additionalFields: { name } }) =>
		await duplicateRobot(robotId, url, name),
});

const get = reading({
	...called('get', 'Get', 'robot'),
	description:
		'Retrieve a robot with its fields, lists and steps. Raw output also contains its schedule and other settings.',
	properties: [robotField, ...robotOutputFields],
	rule: checkSelectedFields,
	needs: ({ robots, extractRobots }) => ({ robots, extractRobots }),
	run: async ({ robots, extractRobots }, { robotId, ...output }, { hint }) => {
		const robot = await robots.get(robotId);
		const isMissing =
			robot.type === 'extract' && robot.lists === undefined && output.output !== 'raw';
		const definition = isMissing
			? await recover(extractRobots.describe(robotId), {
					missingRoute: () => ({}),
					notFound: () => ({}),
					any: ({ message }) => {
						hint(`The fields, lists and steps of this robot could not be read: ${message}`);
						return {};
					},
				})
			: {};
		return entryOutput(output, USEFUL_ROBOT_FIELDS)({ ...robot, ...definition });
	},
});

const getAll = reading({
	...called('getAll', 'Get Many', 'robots'),
	description: 'Retrieve a list of robots, newest first',
	properties: [
		...limitFields,
		...robotOutputFields,
		filters([
			textField('Name', 'q', 'Only return robots whose name contains this text', {
				placeholder: 'e.g. prices',
			}),
			flagField(
				'Scheduled',
				'scheduled',
				'Whether to return only robots with a schedule, or only robots without a schedule',
			),
			choiceField('Type', 'type', 'Only return robots of this type', {
				options: named({
					Agent: 'agent',
					Crawl: 'crawl',
					'Document Extract': 'doc-extract',
					'Document Parse': 'doc-parse',
					Extract: 'extract',
					Scrape: 'scrape',
					Search: 'search',
				}),
				default: 'scrape',
			}),
		]),
	],
	rule: checkSelectedFields,
	needs: ({ robots }) => robots.list,
	run: async (list, { filters, ...form }) =>
		(await withoutTemporary(async (most) => await list(filters, most), wanted(form))).map(
			entryOutput(form, LISTED_ROBOT_FIELDS),
		),
});

const replaceDocument = operation({
	value: 'replaceDocument',
	name: 'Replace Document',
	action: 'Replace robot document',
	description: 'Replace the file that a document robot reads',
	properties: [robotField, documentField],
	needs: ({ robots }) => robots.replaceDocument,
	run: async (replace, { robotId, inputDataFieldName }, { document }) => {
		const form = documentForm(await document(inputDataFieldName));
		return { id: robotId, ...(await replace(robotId, form)) };
	},
});

const update = operation({
	...called('update', 'Update', 'robot'),
	description: 'Change a robot. Other settings stay the same.',
	properties: [
		robotField,
		updateFields([
			{ ...crawlConfigField, description: 'What to change in the settings of a crawl robot' },
			{
				...formatsField,
				description: 'What a scrape robot captures from the page',
				rule: mustNotBeEmpty,
			},
			{ ...uniqueNameField, required: false },
			{
				...searchConfigField,
				description: 'What to change in the settings of a search robot',
				options: sorted([...searchConfigField.options, { ...queryField, required: false }]),
			},
			{
				...smartQueriesField,
				description:
					'Questions for a scrape robot to answer about the page. Leave empty to remove them.',
				schema: clearableText(),
			},
			{ ...urlField, required: false, schema: text() },
		]),
	],
	needs: ({ robots }) => robots.update,
	run: async (update, { robotId, updateFields: { crawlConfig, searchConfig, ...fields } }) => {
		const changes = withoutUndefined({
			...fields,
			crawlConfig: crawlConfig && withoutUndefined(crawlConfig),
			searchConfig: searchConfig && searchConfigChanges(searchConfig.query, searchConfig),
		});
		return { id: robotId, ...(await update(robotId, changes)) };
	},
});

const updateDocumentPrompt = operation({
	...called('updateDocumentPrompt', 'Update Document Prompt'),
	description: 'Change the fields that a document extract robot extracts',
	properties: [robotField, promptField],
	needs: ({ robots }) => robots.updateDocumentPrompt,
	run: async (update, { robotId, prompt }) => ({
		id: robotId,
		...(await update(robotId, prompt)),
	}),
});

export const robot: Resource = {
	name: 'Robot',
	value: 'robot',
	description: 'Create and manage your robots',
	operations: [
		getAll,
		get,
		...Object.values(create),
		duplicate,
		update,
		replaceDocument,
		updateDocumentPrompt,
		remove,
	],
};
