import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { omitFields, pickFields } from '../http/values';
import { newDataChecksField } from './dataChecks';
import { choiceField, named, numberField, type OptionValues, textField } from './field';
import { optionsOf } from './collections';
import { tableFields } from './columns';
import { RunFault } from '../results/runFault';
import { PAGE_URL } from '../results/rows';
import { bare, isWebAddress, listed, mustBe, texts } from './parameters';
import { paceFields, repairField, startFields } from './runOptions';
import { ifServerLacks } from './server';
import { skipReadFields } from './skipRead';
import { pageWaitFields } from './waiting';

/** A URL can't contain spaces, but may contain commas. */
const BETWEEN_URLS = /,?\s+|,(?=https?:\/\/)/i;

/** Without any URL, the result is one empty URL, whose page fails. Models separate URLs in all these ways. */
const urls = z.preprocess(
	(value) => listed(value ?? '', BETWEEN_URLS),
	z
		.array(
			z.string(mustBe('must contain only URLs')).nullish(),
			mustBe('must be a list of URLs, or text with one URL per line'),
		)
		.transform((list) => {
			const given = list.map((url) => bare(url ?? '')).filter(Boolean);
			return given.length > 0 ? given : [''];
		}),
);

export const urlsField = textField(
	'URLs',
	'urls',
	"The URLs of the pages to run the robot on, one per line, or an expression that returns a list or each item's URL",
	{
		typeOptions: { rows: 4 },
		required: true,
		placeholder: 'e.g. https://example.com/products?page=2',
		schema: urls,
	},
);

/** The input item's fields that are added to each row. The labels are those of n8n's Edit Fields node. */
export const inputFieldsFields = [
	choiceField(
		'Include Other Input Fields',
		'includeOtherFields',
		'Which fields of the input item to add to each row. If a row has a column with the same name, the column is kept.',
		{
			options: named({ All: 'all', 'All Except': 'except', Selected: 'selected' }),
			default: 'all',
		},
	),
	textField(
		'Input Fields',
		'otherFields',
		'The names of the fields to include or to leave out, separated by commas',
		{
			placeholder: 'e.g. sku,category',
			displayOptions: { show: { includeOtherFields: ['except', 'selected'] } },
			schema: texts(),
			ifAbsent: [],
		},
	),
];

/** Not `maxRuns`: n8n would add the default of that hidden option. */
export const maxQueuedField = numberField(
	'Max Concurrent Runs',
	'maxQueued',
	'Maximum number of pages to process at the same time',
	{
		typeOptions: { minValue: 1, maxValue: 50 },
		default: 50,
		ifAbsent: 50,
		...ifServerLacks('oneAtATime'),
	},
);

export const pagesOptionsField = optionsOf([
	...startFields,
	newDataChecksField,
	repairField,
	...inputFieldsFields,
	...paceFields,
	maxQueuedField,
	...tableFields('getRunFields'),
	...pageWaitFields,
	...skipReadFields,
]);

interface OfPage {
	urls: string[];
	options: OptionValues<(typeof inputFieldsFields)[number]>;
}

/** The URL, after the fields of the input item that the options select. */
export function fieldsOfPage({ urls: [url], options }: OfPage, item: IDataObject): IDataObject {
	const { includeOtherFields: which, otherFields: names } = options;
	const omitted = which === 'all' ? [] : names;
	const selected = which === 'selected' ? pickFields(item, names) : omitFields(item, omitted);
	return { ...(which !== undefined && selected), [PAGE_URL]: url };
}

/** A wrong URL only fails its own page. @throws RunFault */
export function checkPageUrl(url: string): void {
	if (isWebAddress(url)) return;
	const isMissing = url === '';
	throw new RunFault(
		isMissing ? "'URLs' must contain at least one value" : `'${url}' is not a valid URL`,
		'Enter URLs that start with http:// or https://, one per line',
		isMissing ? 'no URL' : 'not a valid URL',
	);
}
