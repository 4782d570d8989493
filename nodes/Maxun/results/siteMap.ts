import type { IDataObject } from 'n8n-workflow';
import { mapInTurns, type Rest } from '../http/concurrency';
import { addressOf } from '../http/links';
import { isObject } from '../http/values';
import { urlOf, type Captured } from './captured';
import type { Hint } from './hint';
import { titleOf } from './pageText';

/** In paths, `*` stands for any characters. */
export interface SiteMapSettings {
	url: string;
	maxUrls: number;
	maxPages: number;
	includePaths: string[];
	excludePaths: string[];
}

/** The opened pages of a site and the links on them, sorted by the number of links from the start page. */
export async function siteMapOf(
	{ parts }: Captured,
	settings: SiteMapSettings,
	hint: Hint,
	rest: Rest,
): Promise<IDataObject[]> {
	const { url: start, maxUrls, maxPages } = settings;
	const pages = parts.filter(({ kind }) => kind === 'pages').flatMap(({ rows }) => rows);
	const opened = await mapInTurns(pages, rest, (page) => {
		const depth = isObject(page.metadata) ? Number(page.metadata.depth ?? Infinity) : Infinity;
		return { url: urlOf(page) ?? '', title: titleOf(page) ?? null, depth };
	});
	const linked = pages.flatMap(({ links }, index) =>
		(Array.isArray(links) ? links : []).map((link) => ({
			url: String(link).split('#', 1)[0],
			title: null,
			depth: opened[index].depth + 1,
		})),
	);
	const isWanted = filterOf(settings, [start, ...opened.slice(0, 1).map(({ url }) => url)]);
	const found = new Map<string, IDataObject & { depth: number }>();
	for (const entry of [...opened, ...linked]) {
		await rest();
		const address = addressOf(entry.url).replace('://www.', '://');
		if (!found.has(address) && isWanted(entry.url)) found.set(address, entry);
	}
	if (found.size > maxUrls) hint(`The site has more URLs than 'Max URLs' allows: ${found.size}`);
	else if (pages.length >= maxPages) hint(MORE);
	return [...found.values()]
		.sort((one, other) => one.depth - other.depth || 0)
		.slice(0, maxUrls)
		.map((row) => ({ ...row, depth: Number.isFinite(row.depth) ? row.depth : null }));
}

const MORE =
	"Maxun has opened as many pages as 'Pages to Open' allows. Other pages may link to more URLs";

/** Whether a URL has the start page's host, with or without `www`, and a path that the user wants. */
function filterOf({ includePaths, excludePaths }: SiteMapSettings, starts: string[]) {
	const partsOf = (url: string) => {
		const { host, pathname } = URL.canParse(url) ? new URL(url) : { host: '', pathname: '' };
		return { host: host.replace(/^www\./, ''), pathname };
	};
	const hosts = starts.map((url) => partsOf(url).host);
	return (url: string): boolean => {
		const { host, pathname } = partsOf(url);
		const matches = (pattern: string) => isPathLike(pathname, pattern);
		const isIncluded = includePaths.length === 0 || includePaths.some(matches);
		return host !== '' && hosts.includes(host) && isIncluded && !excludePaths.some(matches);
	};
}

/** Each text between two stars is taken as early as possible. A regular expression would try all places. */
function isPathLike(path: string, pattern: string): boolean {
	const [first, ...others] = pattern.split('*');
	const last = others.pop();
	if (last === undefined) return path === pattern;
	let from = first.length;
	const end = path.length - last.length;
	if (!path.startsWith(first) || !path.endsWith(last)) return false;
	for (const part of others) {
		const found = path.indexOf(part, from);
		if (found < 0) return false;
		from = found + part.length;
	}
	return from <= end;
}
