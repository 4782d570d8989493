import type { Resource } from '../operation';
import { crawl } from './crawl';
import { extract } from './extract';
import { extractWithSelectors } from './extractWithSelectors';
import { scrape } from './scrape';
import { search } from './search';

/** The first operation is the resource's default. */
export const web: Resource = {
	name: 'Web',
	value: 'web',
	operations: [scrape, crawl, extract, extractWithSelectors, search],
};
