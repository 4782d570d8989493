import { waitingOperation } from '../operation';
import { inputsField } from '../../fields/inputs';
import { robotField } from '../../fields/locators';
import { checkSelectedFields, outputFields } from '../../fields/output';
import { checkPageUrl, fieldsOfPage, pagesOptionsField, urlsField } from '../../fields/pages';
import { startOptions } from '../../fields/runOptions';
import { PAGE_URL } from '../../results/rows';
import { startTemporary } from '../../runs/temporary';

export const runOnUrls = waitingOperation({
	value: 'runOnUrls',
	name: 'Run on Many URLs',
	action: 'Run robot on many URLs',
	description:
		'Run temporary copies of a robot on pages with the same structure, and return the data from all pages',
	builderHint:
		'Use this to run one existing robot on each URL of a list, for example from a spreadsheet. It does not need a loop.',
	properties: [robotField, urlsField, inputsField('robotId'), ...outputFields, pagesOptionsField],
	rule: checkSelectedFields,
	needs: ({ robots }) => robots.duplicate,
	each: ({ urls, ...params }) => urls.map((url) => ({ ...params, urls: [url] })),
	check: ({ urls: [url] }) => checkPageUrl(url),
	start: async (duplicate, { robotId, urls: [url], params, options }, context) =>
		await startTemporary(context, {
			operation: 'urls',
			timeoutMinutes: options.timeoutMinutes,
			duplicateOf: robotId,
			create: async (name) => await duplicate(robotId, url, name),
			options: startOptions({ params, options }, context.item),
		}),
	sharesRuns: true,
	fields: fieldsOfPage,
	settings: ({ robotId, urls: [page], options, output, fields }) => ({
		...options,
		robotId,
		isOneOfPages: true,
		subject: page,
		origin: { [PAGE_URL]: page },
		address: page,
		onTimeout: 'error',
		// The screenshots are deleted with the robot.
		downloadScreenshots: true,
		output,
		fields,
	}),
});
