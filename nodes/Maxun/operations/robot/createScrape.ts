import { z } from 'zod';
import { Robot } from '../../api/entities';
import { definedFields } from '../../api/request';
import { operation } from '../../core/operation';
import { optionalText, webAddress } from '../../core/parameters';
import { formatsField, formatsParameter } from '../../fields/formats';
import { monitoringFields, monitoringParameters } from '../../fields/monitoring';

export const createScrape = operation(
	{
		resource: 'robot',
		value: 'createScrape',
		name: 'Create Scrape Robot',
		action: 'Create scrape robot',
		description: 'Create a robot that captures one page',
		properties: [
			{
				displayName: 'URL',
				name: 'url',
				type: 'string',
				required: true,
				placeholder: 'e.g. https://example.com/products',
				default: '',
				description: 'The page to capture',
			},
			formatsField,
			{
				displayName: 'Additional Fields',
				name: 'additionalFields',
				type: 'collection',
				placeholder: 'Add field',
				default: {},
				options: [
					...monitoringFields,
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						placeholder: 'e.g. Product prices',
						default: '',
						description:
							'What the robot is called; by default Scrape Robot and the host of the page',
					},
					{
						displayName: 'Smart Queries',
						name: 'smartQueries',
						type: 'string',
						typeOptions: { rows: 2 },
						placeholder: 'e.g. What does delivery cost?',
						default: '',
						description: 'Questions that each run answers from the page',
					},
				],
			},
		],
	},
	z.object({
		url: webAddress(),
		formats: formatsParameter,
		additionalFields: z
			.object({ ...monitoringParameters, name: optionalText(), smartQueries: optionalText() })
			.default({}),
	}),
	{
		request: {
			cloud: ({ url, formats, additionalFields }) => ({
				method: 'POST',
				path: '/robots/scrape',
				body: definedFields({ url, formats, ...additionalFields }),
			}),
		},
		answer: Robot,
	},
);
