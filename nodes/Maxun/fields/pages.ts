import type { Field } from './field';
import { z } from 'zod';
import { optionsOf } from './collections';
import { tableFields } from './columns';
import { inputFieldsFields } from './inputFields';
import { downloadScreenshotsField } from './output';
import { listed, mustBe, mustNotBeEmpty } from './parameters';
import { delayBeforeStartField, startFields } from './runOptions';
import { ifNoDataField, timeoutField } from './waiting';

/** Between URLs in a text. A URL contains no spaces, but it may contain commas. */
const BETWEEN_URLS = /,?\s+|,(?=https?:\/\/)/i;

/** URLs as a list, or as text with one per line. Models also separate them with spaces or commas, or write JSON. */
const urls = z.preprocess(
	(value) => listed(value, BETWEEN_URLS),
	z
		.array(
			z.string(mustBe('must contain only URLs')),
			mustBe('must be a list of URLs, or text with one URL per line'),
		)
		.transform((list) => list.map((url) => url.trim()).filter(Boolean)),
);

/** The pages to run a robot on. */
export const urlsField = {
	displayName: 'URLs',
	name: 'urls',
	type: 'string',
	typeOptions: { rows: 4 },
	required: true,
	placeholder: 'e.g. https://example.com/products?page=2',
	default: '',
	description:
		'The pages to run the robot on, one URL per line. You can also use an expression that returns a list of URLs, or one URL for each item.',
	check: urls,
	rule: mustNotBeEmpty,
} as const satisfies Field;

const onPageFailureField = {
	displayName: 'On Failure',
	name: 'onFailure',
	type: 'options',
	options: [
		{
			name: 'Skip the Page',
			value: 'skip',
			description: 'Continue without the page. A hint lists all skipped pages.',
		},
		{
			name: 'Throw an Error',
			value: 'error',
			description: "Stop the workflow, or use the node's error output if it has one",
		},
	],
	default: 'error',
	ifAbsent: 'error',
	description: 'What to do if a URL is invalid, or if the run on a page fails or times out',
} as const satisfies Field;

const maxRunsField = {
	displayName: 'Max Concurrent Runs',
	name: 'maxRuns',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 50 },
	default: 1,
	description:
		'Maximum number of pages to process at the same time. The node creates a temporary robot for each. The default is 50 on Maxun Cloud, which queues runs, and 1 on a self-hosted server, where overlapping runs can hang.',
} as const satisfies Field;

/** The options of an operation that runs a robot on several pages. */
export const pagesOptionsField = optionsOf([
	...startFields,
	delayBeforeStartField,
	downloadScreenshotsField,
	ifNoDataField,
	...inputFieldsFields,
	maxRunsField,
	onPageFailureField,
	...tableFields('getRunFields'),
	timeoutField,
]);
