import { z } from 'zod';
import { Reply } from '../../api/entities';
import { path } from '../../api/request';
import { operation } from '../../core/operation';
import { locator, text } from '../../core/parameters';
import { promptField } from '../../fields/documents';
import { robotField } from '../../fields/locators';

export const updateDocumentPrompt = operation(
	{
		resource: 'robot',
		value: 'updateDocumentPrompt',
		name: 'Update Document Prompt',
		action: 'Update document prompt of a robot',
		description: 'Change which fields a document extract robot reads',
		properties: [robotField, promptField],
	},
	z.object({ robotId: locator(), prompt: text() }),
	{
		request: {
			cloud: ({ robotId, prompt }) => ({
				method: 'PATCH',
				path: path`/robots/${robotId}/document-prompt`,
				body: { prompt },
			}),
		},
		answer: Reply,
		items: (reply, { robotId }) => [{ id: robotId, ...reply }],
	},
);
