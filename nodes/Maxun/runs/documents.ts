import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { withoutUndefined } from '../http/request';
import { isObject } from '../http/values';
import type { Run } from '../servers/entities';
import { isPage, textOf, titleOf, urlOf } from './pageText';
import { rowsOf } from './rows';

/** Fields of a page's metadata that contain its language, and when it was published or changed. */
const LANGUAGE = ['language', 'lang'];
const DATE = [
	'modifiedTime',
	'dateModified',
	'publishedTime',
	'publishedDate',
	'datePublished',
	'date',
];

/**
 * The pages and rows of a run as documents for retrieval: `text`, and `metadata` with what identifies and describes it.
 *
 * `metadata` contains nothing that changes with each run. So a record manager recognizes unchanged documents: `id`
 * belongs to the page, and `hash` to its text.
 *
 * @param address the URL of the run's only page, if the run doesn't contain it
 */
export function documentsOf(run: Run, address?: string): IDataObject[] {
	const ids = new Set<string>();
	return rowsOf(run).flatMap((row) => {
		const text = textOf(row);
		if (text === '') return [];
		const hash = createHash('sha256').update(text).digest('hex');
		const url = urlOf(row) ?? address;
		const robotId = run.robotId ?? '';
		const key = url ?? robotId;
		// Two parts of one page need two IDs.
		const names = isPage(row) ? [key, `${key}#${hash}`] : [`${robotId}#${hash}`];
		const id = names.map(idOf).find((candidate) => !ids.has(candidate));
		if (id === undefined) return [];
		ids.add(id);
		return [{ text, metadata: { ...describe(row, url), hash, id } }];
	});
}

function describe(row: IDataObject, url: string | undefined): IDataObject {
	const metadata = isObject(row.metadata) ? row.metadata : {};
	const first = (names: string[]) => names.map((name) => metadata[name]).find((value) => value);
	return withoutUndefined({
		url,
		title: titleOf(row),
		language: first(LANGUAGE),
		date: first(DATE),
	});
}

/** The namespace for names that are URLs, as RFC 9562 defines it. */
const NAMESPACE = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');

/** A UUID (version 5) of a name, because some vector stores accept no other IDs. */
function idOf(name: string): string {
	const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16);
	bytes[6] = (bytes[6] & 0x0f) | 0x50;
	bytes[8] = (bytes[8] & 0x3f) | 0x80;
	const hex = bytes.toString('hex');
	return [
		hex.slice(0, 8),
		hex.slice(8, 12),
		hex.slice(12, 16),
		hex.slice(16, 20),
		hex.slice(20),
	].join('-');
}
