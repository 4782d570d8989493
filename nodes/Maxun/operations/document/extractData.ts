import { checkExtracted, documentField, extractedFields, promptOf } from '../../fields/documents';
import { tableFields } from '../../fields/columns';
import { temporaryOptionsField } from '../../fields/keepRobot';
import { pageOutputField } from '../../fields/output';
import { oneStep } from '../oneStep';
import { waitingOperation } from '../operation';

export const extractData = waitingOperation(
	{
		resource: 'document',
		value: 'extractData',
		name: 'Extract Data',
		action: 'Extract data from document',
		description: 'Get fields from a file in one step, such as the number and total of an invoice',
		builderHint:
			'Use this to get named values from a PDF, a picture or an Office file of the input item. It needs no robot. To get the whole text, use Convert to Text.',
		properties: [
			documentField,
			...extractedFields,
			{ ...pageOutputField, description: 'What to return for each document' },
			temporaryOptionsField(tableFields()),
		],
		rule: checkExtracted,
	},
	oneStep({
		operation: 'document',
		needs: ({ robots }) => robots.createFromDocument,
		fileIn: ({ inputDataFieldName }) => inputDataFieldName,
		create: async (create, params, name, { document }) =>
			await create('extract', await document(params.inputDataFieldName), {
				name,
				prompt: promptOf(params),
			}),
	}),
);
