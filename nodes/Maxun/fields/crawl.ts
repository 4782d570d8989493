import { collectionField } from './collections';
import { choice, choiceField, type Field, flagField, numberField, textField } from './field';
import { outputFormatsField } from './formats';

const PATHS = {
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Path' },
	default: [],
} as const satisfies Partial<Field>;

const excludePathsField = textField(
	'Exclude Paths',
	'excludePaths',
	'Paths of pages to skip. * stands for any text, so /blog/* means all pages below /blog.',
	{ ...PATHS, placeholder: 'e.g. /blog/*' },
);

const includePathsField = textField(
	'Include Paths',
	'includePaths',
	'Only visit pages with these paths. * stands for any text, so /products/* means all pages below /products.',
	{ ...PATHS, placeholder: 'e.g. /products/*' },
);

export const crawlConfigField = collectionField('Crawl Settings', 'crawlConfig', 'setting', [
	excludePathsField,
	flagField('Follow Links', 'followLinks', 'Whether to follow the links on each page'),
	includePathsField,
	choiceField('Link Scope', 'mode', 'Which links to follow', {
		options: [
			choice('Domain', 'domain', 'Follow links to the same domain'),
			choice('Path', 'path', 'Follow links below the path of the start page'),
			choice('Subdomain', 'subdomain', 'Follow links to the domain and its subdomains'),
		],
		default: 'domain',
	}),
	numberField(
		'Max Depth',
		'maxDepth',
		'How many links deep to crawl, counted from the start page. Without this setting, Maxun Cloud uses 3.',
		{ typeOptions: { minValue: 0 }, default: 3 },
	),
	numberField(
		'Max Pages',
		'limit',
		'Maximum number of pages to visit. More pages can use more credits. Without this setting, Maxun Cloud uses 50.',
		{ typeOptions: { minValue: 1 }, default: 50 },
	),
	{ ...outputFormatsField, description: 'What to capture from each page' },
	flagField('Respect robots.txt', 'respectRobots', "Whether to obey the site's robots.txt file"),
	flagField('Use Sitemap', 'useSitemap', "Whether to also find pages in the site's sitemap"),
]);

export const siteMapOptions = [
	{ ...excludePathsField, ifAbsent: [] },
	{
		...includePathsField,
		ifAbsent: [],
		description: 'Only return URLs with one of these paths. * stands for any text.',
	},
	numberField('Max URLs', 'maxUrls', 'Maximum number of URLs to return', {
		typeOptions: { minValue: 1 },
		default: 1000,
		ifAbsent: 1000,
	}),
	numberField(
		'Pages to Open',
		'maxPages',
		'Maximum number of pages that Maxun opens to find links. More pages find more URLs and can use more credits.',
		{ typeOptions: { minValue: 1 }, default: 10, ifAbsent: 10 },
	),
];
