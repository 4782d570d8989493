import type { Resource } from '../operation';
import { createCrawl } from './createCrawl';
import { createDocumentExtract } from './createDocumentExtract';
import { createDocumentParse } from './createDocumentParse';
import { createExtract } from './createExtract';
import { createScrape } from './createScrape';
import { createSearch } from './createSearch';
import { remove } from './delete';
import { duplicate } from './duplicate';
import { get } from './get';
import { getAll } from './getAll';
import { getStatistics } from './getStatistics';
import { replaceDocument } from './replaceDocument';
import { update } from './update';
import { updateDocumentPrompt } from './updateDocumentPrompt';

/** The first operation is the resource's default. */
export const robot: Resource = {
	name: 'Robot',
	value: 'robot',
	operations: [
		getAll,
		createCrawl,
		createDocumentExtract,
		createDocumentParse,
		createExtract,
		createScrape,
		createSearch,
		remove,
		duplicate,
		get,
		getStatistics,
		replaceDocument,
		update,
		updateDocumentPrompt,
	],
};
