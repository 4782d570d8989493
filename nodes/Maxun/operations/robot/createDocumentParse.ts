import { z } from 'zod';
import { Reply } from '../../api/entities';
import { createDocumentRobot } from '../../api/robots';
import { documentForm } from '../../api/upload';
import { operation } from '../../core/operation';
import { binaryField, several, text } from '../../core/parameters';
import { documentField } from '../../fields/documents';
import { nameField } from '../../fields/robots';

export const createDocumentParse = operation(
	{
		resource: 'robot',
		value: 'createDocumentParse',
		name: 'Create Document Parse Robot',
		action: 'Create document parse robot',
		description: 'Create a robot that turns a document into text',
		properties: [
			documentField,
			{
				...nameField,
				required: true,
				description: 'What the robot is called, which must not be taken',
			},
			{
				displayName: 'Output Formats',
				name: 'outputFormats',
				type: 'multiOptions',
				options: [
					{ name: 'HTML', value: 'html' },
					{ name: 'Links', value: 'links' },
					{ name: 'Markdown', value: 'markdown' },
					{ name: 'Summary', value: 'summary' },
				],
				default: ['markdown'],
				description: 'What to turn the document into',
			},
		],
	},
	z.object({
		inputDataFieldName: binaryField(),
		name: text(),
		outputFormats: several(['html', 'links', 'markdown', 'summary']),
	}),
	{
		perform: {
			cloud: async (api, { inputDataFieldName, ...fields }) => {
				const form = documentForm(await api.document(inputDataFieldName), fields);
				return [{ json: await api.call(createDocumentRobot('parse', form), Reply) }];
			},
		},
	},
);
