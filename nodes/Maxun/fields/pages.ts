import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { tableFields, tableParameters } from './columns';
import { inputFieldsFields, inputFieldsParameters } from './inputFields';
import { downloadScreenshotsField } from './output';
import { choices, collection, count, flag, listed, mustBe, notEmpty, oneOf } from './parameters';
import {
	delayBeforeStartField,
	optionsOf,
	paceParameters,
	startFields,
	startParameters,
} from './runOptions';
import { ifNoDataField, ifNoDataParameter, minutes, timeoutField } from './waiting';

/** The pages to run a robot on. */
export const urlsField: INodeProperties = {
	displayName: 'URLs',
	name: 'urls',
	type: 'string',
	typeOptions: { rows: 4 },
	required: true,
	placeholder: 'e.g. https://example.com/products?page=2',
	default: '',
	description:
		'The pages to run the robot on, one URL per line. You can also use an expression that returns a list of URLs, or one URL for each item.',
};

/** Between URLs in a text. A URL contains no spaces, but it may contain commas. */
const BETWEEN_URLS = /,?\s+|,(?=https?:\/\/)/i;

/** URLs as a list, or as text with one per line. Models also separate them with spaces or commas, or write JSON. */
export const urlsParameter = z.preprocess(
	(value) => listed(value, BETWEEN_URLS),
	notEmpty(
		z
			.array(
				z.string(mustBe('must contain only URLs')),
				mustBe('must be a list of URLs, or text with one URL per line'),
			)
			.transform((urls) => urls.map((url) => url.trim()).filter(Boolean)),
	),
);

const ON_FAILURE = choices([
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
]);

const onPageFailureField: INodeProperties = {
	displayName: 'On Failure',
	name: 'onFailure',
	type: 'options',
	options: ON_FAILURE,
	default: 'error',
	description: 'What to do if a URL is invalid, or if the run on a page fails or times out',
};

const maxRunsField: INodeProperties = {
	displayName: 'Max Concurrent Runs',
	name: 'maxRuns',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 50 },
	default: 1,
	description:
		'Maximum number of pages to process at the same time. The node creates a temporary robot for each. The default is 50 on Maxun Cloud, which queues runs, and 1 on a self-hosted server, where overlapping runs can hang.',
};

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

export const pagesOptionsParameter = collection(
	startParameters.extend({
		...paceParameters,
		downloadScreenshots: flag().default(false),
		maxRuns: count(1, 50).optional(),
		onFailure: oneOf(ON_FAILURE).default('error'),
		ifNoData: ifNoDataParameter,
		...tableParameters,
		...inputFieldsParameters,
		timeoutMinutes: minutes(60),
	}),
);
