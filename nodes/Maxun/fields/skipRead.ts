import { choice, type Field } from './field';
import { positive } from './parameters';

/** Options for pages that only need to be read once, such as articles. */
export const skipReadFields = [
	{
		displayName: 'Skip URLs Already Read',
		name: 'skipRead',
		type: 'options',
		options: [
			choice('Skip', 'skip', 'Return no item for a page that this node has already read'),
			choice(
				'Start Over',
				'startOver',
				'Forget all pages that this node has read, and read all URLs',
			),
		],
		default: 'skip',
		description:
			'Whether to start no run for a page that this node has read before. Failed and empty pages are read again.',
	},
	{
		displayName: 'Read Again After (Days)',
		name: 'readAgainAfter',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 30,
		ifAbsent: 30,
		schema: positive(),
		description:
			"For 'Skip URLs Already Read': minimum number of days until a page is read again. It can take up to twice as long.",
	},
] as const satisfies Field[];
