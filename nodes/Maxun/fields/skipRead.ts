import { choice, choiceField, type Field, numberField } from './field';
import { positive } from './parameters';

/** Options for pages that only need to be read once, such as articles. */
export const skipReadFields = [
	choiceField(
		'Skip URLs Already Read',
		'skipRead',
		'Whether to leave out pages that this node has read well before. It does not remember the pages of a test in the editor.',
		{
			options: [
				choice('Skip', 'skip', 'Return no item for a page that this node has already read'),
				choice(
					'Start Over',
					'startOver',
					'Forget all pages that this node has read, and read all URLs',
				),
			],
			default: 'skip',
		},
	),
	numberField(
		'Read Again After (Days)',
		'readAgainAfter',
		'Minimum number of days until a page is read again. It can take up to a month longer.',
		{
			typeOptions: { minValue: 1 },
			default: 30,
			ifAbsent: 30,
			schema: positive(),
			displayOptions: { show: { skipRead: ['skip'] } },
		},
	),
] as const satisfies Field[];
