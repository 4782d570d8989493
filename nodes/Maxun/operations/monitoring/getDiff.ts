import { z } from 'zod';
import { operation } from '../operation';
import { robotField, RUN_URL, runField } from '../../fields/locators';
import { choices, flag, locator, oneOf, optionalLocator } from '../../fields/parameters';
import { onlyOn } from '../../fields/server';
import { diffText } from '../../results/diffText';

const FORMATS = choices([
	{ name: 'All', value: '', description: 'All formats that changed' },
	{ name: 'Captured List', value: 'captured-list' },
	{ name: 'Captured Text', value: 'captured-text' },
	{ name: 'HTML', value: 'html' },
	{ name: 'Markdown', value: 'markdown' },
	{ name: 'Text', value: 'text' },
]);

export const getDiff = operation(
	{
		resource: 'monitoring',
		value: 'getDiff',
		name: 'Get Diff',
		action: 'Get run diff',
		description: 'Retrieve what changed between a run and the previous one, line by line',
		properties: [
			onlyOn('selfHosted', robotField),
			runField,
			{
				displayName: 'Format',
				name: 'format',
				type: 'options',
				options: FORMATS,
				default: '',
				description: 'What to compare',
			},
			{
				displayName: 'Include Patch',
				name: 'asPatch',
				type: 'boolean',
				default: false,
				description:
					'Whether to add the changed lines as text with + and -, ready to use in a message',
			},
		],
	},
	z.object({
		robotId: optionalLocator(),
		runId: locator(RUN_URL),
		format: oneOf(FORMATS).default(''),
		asPatch: flag().default(false),
	}),
	{
		parallel: true,
		needs: ({ monitoring }) => monitoring?.getDiff,
		run: async (readDiff, { robotId, runId, format, asPatch }) => {
			const diff = await readDiff(runId, format, robotId);
			return { runId, ...diff, ...(asPatch && { patch: diffText(diff) }) };
		},
	},
);
