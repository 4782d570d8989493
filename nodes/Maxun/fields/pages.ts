import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { downloadScreenshotsField } from './output';
import { choices, collection, count, flag, mustBe, notEmpty, oneOf } from './parameters';
import {
	delayBeforeStartField,
	optionsOf,
	paceParameters,
	startFields,
	startParameters,
} from './runOptions';
import { minutes, waitForField } from './waiting';

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
		'The pages to run the robot on, one URL per line. An expression can also return a list, or one URL per item.',
};

/** URLs as a list, or as text with one per line. A URL contains no spaces, so models may separate them with those. */
export const urlsParameter = z.preprocess(
	(value) => (typeof value === 'string' ? value.split(/[\r\n]+|,?\s+/) : value),
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
		description: 'Continue without the page. A hint names all skipped pages.',
	},
	{
		name: 'Throw an Error',
		value: 'error',
		description: 'Stop, or use the error output if the node has one',
	},
]);

const onPageFailureField: INodeProperties = {
	displayName: 'On Failure',
	name: 'onFailure',
	type: 'options',
	options: ON_FAILURE,
	default: 'error',
	description: 'What to do if a URL is invalid, or if the run on a page fails or exceeds its time',
};

const maxRunsField: INodeProperties = {
	displayName: 'Max Concurrent Runs',
	name: 'maxRuns',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 50 },
	default: 1,
	description:
		'Maximum number of simultaneous runs, and so of temporary robots. Without this option, the node uses all browser slots of Maxun Cloud. On a self-hosted server it uses one, because overlapping runs can hang.',
};

/** The options of an operation that runs a robot on several pages. */
export const pagesOptionsField = optionsOf([
	...startFields,
	delayBeforeStartField,
	downloadScreenshotsField,
	maxRunsField,
	onPageFailureField,
	waitForField,
]);

export const pagesOptionsParameter = collection(
	startParameters.extend({
		...paceParameters,
		downloadScreenshots: flag().default(false),
		maxRuns: count(1, 50).optional(),
		onFailure: oneOf(ON_FAILURE).default('error'),
		waitFor: minutes(60),
	}),
);
