import { z } from 'zod';
import { Reply } from '../../api/entities';
import { definedFields } from '../../api/request';
import { getDiff as diffRequest } from '../../api/runs';
import { operation } from '../../core/operation';
import { flag, locator, oneOf } from '../../core/parameters';
import { RUN_URL, runField } from '../../fields/locators';
import { patchOf } from '../../runs/patch';

export const getDiff = operation(
	{
		resource: 'monitoring',
		value: 'getDiff',
		name: 'Get Diff',
		action: 'Get diff of a run',
		description: 'Retrieve what a run has changed against the one before, line by line',
		properties: [
			runField,
			{
				displayName: 'Format',
				name: 'format',
				type: 'options',
				options: [
					{ name: 'All', value: '', description: 'Every format that has changed' },
					{ name: 'Captured List', value: 'captured-list' },
					{ name: 'Captured Text', value: 'captured-text' },
					{ name: 'HTML', value: 'html' },
					{ name: 'Markdown', value: 'markdown' },
					{ name: 'Text', value: 'text' },
				],
				default: '',
				description: 'What to compare',
			},
			{
				displayName: 'As Patch',
				name: 'asPatch',
				type: 'boolean',
				default: false,
				description:
					'Whether to add the changed lines as one text with + and -, ready for a message',
			},
		],
	},
	z.object({
		runId: locator(RUN_URL),
		format: oneOf(['', 'captured-list', 'captured-text', 'html', 'markdown', 'text']).default(''),
		asPatch: flag().default(false),
	}),
	{
		sideBySide: true,
		request: {
			cloud: ({ runId, format }) => ({ ...diffRequest(runId), query: definedFields({ format }) }),
		},
		answer: Reply,
		items: (diff, { runId, asPatch }) => [
			{ runId, ...diff, ...(asPatch ? { patch: patchOf(diff) } : {}) },
		],
	},
);
