import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import type { Rest } from '../http/concurrency';
import { withoutUndefined } from '../http/request';
import { isObject } from '../http/values';
import { isBlank, urlOf, type Captured } from './captured';
import { isPage, textOf, titleOf } from './pageText';

/** The metadata fields with a page's language, and with when it was changed or published. */
const LANGUAGE = ['language', 'lang'];
const MODIFIED = 'modifiedTime dateModified publishedTime publishedDate datePublished date'.split(
	' ',
);

/**
 * A run's pages and rows as documents. Their metadata doesn't change with each run, so that a record manager
 * recognizes unchanged documents. A page's ID depends on its URL, or on the robot. A row's ID also depends on its
 * text.
 * @param address the URL of the run's only page, if the run doesn't contain it
 */
export async function documentsOf(
	{ run, parts }: Captured,
	address: string | undefined,
	rest: Rest,
): Promise<IDataObject[]> {
	const ids = new Set<string>();
	const documents: IDataObject[] = [];
	for (const { kind, rows } of parts) {
		const isOnly = kind === 'fields' && rows.length === 1;
		for (const row of rows) {
			await rest();
			const text = textOf(row, kind);
			if (text === '' || isBlank(row, kind)) continue;
			const hash = createHash('sha256').update(text).digest('hex');
			const url = urlOf(row) ?? address;
			const key = url ?? run.robotId ?? '';
			// Two parts of the same page need two IDs.
			const endings = isPage(row, kind) ? ['', `#${hash}`] : [isOnly ? '#fields' : `#${hash}`];
			const id = endings.map((ending) => uuidOf(key + ending)).find((found) => !ids.has(found));
			if (id === undefined) continue;
			ids.add(id);
			documents.push({ text, metadata: { ...metaOf(row, url), hash, id } });
		}
	}
	return documents;
}

function metaOf(row: IDataObject, url: string | undefined): IDataObject {
	const metadata = isObject(row.metadata) ? row.metadata : {};
	const first = (names: string[]) => names.map((name) => metadata[name]).find(Boolean);
	const [language, date] = [LANGUAGE, MODIFIED].map(first);
	return withoutUndefined({ url, title: titleOf(row), language, date });
}

/** RFC 9562's namespace for names that are URLs. */
const NAMESPACE = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');

/** A name's UUID (version 5). Some vector stores accept no other IDs. */
function uuidOf(name: string): string {
	const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16);
	bytes[6] = (bytes[6] & 0x0f) | 0x50;
	bytes[8] = (bytes[8] & 0x3f) | 0x80;
	return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
