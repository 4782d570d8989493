import { operation } from '../operation';
import { promptField } from '../../fields/documents';
import { robotField } from '../../fields/locators';

export const updateDocumentPrompt = operation(
	{
		resource: 'robot',
		value: 'updateDocumentPrompt',
		name: 'Update Document Prompt',
		action: 'Update document prompt',
		description: 'Change the fields that a document extract robot extracts',
		properties: [robotField, promptField],
	},
	{
		needs: ({ robots }) => robots.updateDocumentPrompt,
		run: async (update, { robotId, prompt }) => ({
			id: robotId,
			...(await update(robotId, prompt)),
		}),
	},
);
