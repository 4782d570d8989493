import { operation } from '../operation';
import { documentField } from '../../fields/documents';
import { robotField } from '../../fields/locators';
import { documentForm } from '../../http/multipart';

export const replaceDocument = operation(
	{
		resource: 'robot',
		value: 'replaceDocument',
		name: 'Replace Document',
		action: 'Replace robot document',
		description: 'Replace the file that a document robot reads',
		properties: [robotField, documentField],
	},
	{
		needs: ({ robots }) => robots.replaceDocument,
		run: async (replace, { robotId, inputDataFieldName }, { document }) => {
			const form = documentForm(await document(inputDataFieldName));
			return { id: robotId, ...(await replace(robotId, form)) };
		},
	},
);
