import { choice, choiceField, numberField } from './field';
import { positive } from './parameters';

/** Options for pages that only need to be read once, such as articles. */
export const skipReadFields = [
	choiceField(
		'Skip URLs Already Read',
		'skipRead',
		'Whether to leave out pages that this node has already read successfully. Tests do not mark pages as read.',
		{
			options: [
				choice('Skip', 'skip', 'Leave out these pages'),
				choice('Start Over', 'startOver', 'Clear the list of read pages, and read all URLs'),
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
];
