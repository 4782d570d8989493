import { newDataChecksField } from './dataChecks';
import { numberField, textField } from './field';
import { z } from 'zod';
import { optionsOf } from './collections';
import { tableFields } from './columns';
import { inputFieldsFields } from './inputFields';
import { listed, mustBe } from './parameters';
import { paceFields, repairField, startFields } from './runOptions';
import { ifServerLacks } from './server';
import { skipReadFields } from './skipRead';
import { pageWaitFields } from './waiting';

/** A URL contains no spaces, but may contain commas. */
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
			const given = list.map((url) => url?.trim() ?? '').filter(Boolean);
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

const maxRunsField = numberField(
	'Max Concurrent Runs',
	'maxRuns',
	'Maximum number of pages to process at the same time',
	{ typeOptions: { minValue: 1, maxValue: 50 }, default: 50, ...ifServerLacks('oneAtATime') },
);

export const pagesOptionsField = optionsOf([
	...startFields,
	newDataChecksField,
	repairField,
	...inputFieldsFields,
	...paceFields,
	maxRunsField,
	...tableFields('getRunFields'),
	...pageWaitFields,
	...skipReadFields,
]);
