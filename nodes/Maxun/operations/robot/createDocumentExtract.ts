import { z } from 'zod';
import { Reply } from '../../api/entities';
import { createDocumentRobot } from '../../api/robots';
import { documentForm } from '../../api/upload';
import { operation } from '../../core/operation';
import { binaryField, optionalText, text } from '../../core/parameters';
import { documentField, promptField } from '../../fields/documents';
import { additionalFields, nameField } from '../../fields/robots';

export const createDocumentExtract = operation(
	{
		resource: 'robot',
		value: 'createDocumentExtract',
		name: 'Create Document Extract Robot',
		action: 'Create document extract robot',
		description: 'Create a robot that reads chosen fields out of a document',
		properties: [documentField, promptField, additionalFields([nameField])],
	},
	z.object({
		inputDataFieldName: binaryField(),
		prompt: text(),
		additionalFields: z.object({ name: optionalText() }).default({}),
	}),
	{
		perform: {
			cloud: async (api, { inputDataFieldName, prompt, additionalFields: { name } }) => {
				const form = documentForm(await api.document(inputDataFieldName), { prompt, name });
				return [{ json: await api.call(createDocumentRobot('extract', form), Reply) }];
			},
		},
	},
);
