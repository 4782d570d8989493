import { z } from 'zod';
import { waitingOperation } from '../operation';
import { inputsField, inputsParameter, inputValues } from '../../fields/inputs';
import { otherFieldsOf } from '../../fields/inputFields';
import { robotField } from '../../fields/locators';
import { checkSelectedFields, rowsOutputFields, rowsOutputParameters } from '../../fields/output';
import {
	pagesOptionsField,
	pagesOptionsParameter,
	urlsField,
	urlsParameter,
} from '../../fields/pages';
import { locator, webAddress } from '../../fields/parameters';
import { startOptions } from '../../fields/runOptions';
import { PAGE_URL } from '../../runs/itemFields';
import { invalidUrl } from '../../runs/pageFault';
import { startTemporary } from '../../runs/temporary';

const isUrl = (url: string) => webAddress().safeParse(url).success && URL.canParse(url);

export const runOnUrls = waitingOperation(
	{
		resource: 'run',
		value: 'runOnUrls',
		name: 'Run on Many URLs',
		action: 'Run robot on many URLs',
		description:
			'Run temporary copies of a robot on pages with the same structure, and return the data from all pages',
		hint: 'Use this to run one existing robot on each URL of a list, for example from a spreadsheet. It needs no loop.',
		properties: [
			robotField,
			urlsField,
			inputsField('robotId'),
			...rowsOutputFields,
			pagesOptionsField,
		],
	},
	z
		.object({
			robotId: locator(),
			urls: urlsParameter,
			params: inputsParameter,
			...rowsOutputParameters,
			options: pagesOptionsParameter,
		})
		.superRefine(checkSelectedFields),
	{
		parallel: true,
		needs: ({ robots }) => robots.duplicate,
		each: ({ urls, ...params }) => urls.map((url) => ({ ...params, urls: [url] })),
		check: ({ urls: [url] }) => {
			if (!isUrl(url)) throw invalidUrl(url);
		},
		start: async (duplicate, { robotId, urls: [url], params, options }, context) =>
			await startTemporary(context, {
				kind: 'robot',
				what: 'urls',
				keep: false,
				timeoutMinutes: options.timeoutMinutes,
				duplicateOf: robotId,
				create: async (name) => await duplicate(robotId, url, name),
				options: { ...startOptions(options), params: inputValues(params, context.item) },
				fields: { ...otherFieldsOf(context.item, options), [PAGE_URL]: url },
			}),
		settings: ({ robotId, urls: [page], options, output, fields }) => ({
			...options,
			robotId,
			page,
			address: page,
			onTimeout: 'error',
			output,
			fields,
		}),
	},
);
