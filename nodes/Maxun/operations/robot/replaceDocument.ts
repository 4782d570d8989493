import { z } from 'zod';
import { Reply } from '../../api/entities';
import { path } from '../../api/request';
import { documentForm } from '../../api/upload';
import { operation } from '../../core/operation';
import { binaryField, locator } from '../../core/parameters';
import { documentField } from '../../fields/documents';
import { robotField } from '../../fields/locators';

export const replaceDocument = operation(
	{
		resource: 'robot',
		value: 'replaceDocument',
		name: 'Replace Document',
		action: 'Replace document of a robot',
		description: 'Give a document robot another file to read',
		properties: [robotField, documentField],
	},
	z.object({ robotId: locator(), inputDataFieldName: binaryField() }),
	{
		perform: {
			cloud: async (api, { robotId, inputDataFieldName }) => {
				const body = documentForm(await api.document(inputDataFieldName));
				const request = { method: 'PUT' as const, path: path`/robots/${robotId}/document`, body };
				return [{ json: { id: robotId, ...(await api.call(request, Reply)) } }];
			},
		},
	},
);
