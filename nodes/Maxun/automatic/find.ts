import { Page } from '../html/page';
import { readElements } from '../html/reader';
import type { Rest } from '../http/concurrency';
import type { Capture } from '../servers/definition';
import { thingIn, type Thing } from '../html/thing';

/** The name of the column with a row's main link. */
export const LINK = 'Link';

/** A list on a page, with the selectors that read it. */
export interface FoundList {
	rowSelector: string;
	/** At most 12, the most telling first. */
	columns: Capture[];
	/** What the selectors read. */
	rows: Array<Record<string, string>>;
	/** Why it may not be the list that people want, as a short clause. */
	doubt?: string;
}

export interface FoundPage {
	/** At most 6, the best first. */
	lists: FoundList[];
	thing?: Thing;
	/** Whether the page is about the thing rather than a list. */
	isThing: boolean;
}

/** The lists of a page and what it declares about its one thing. @param url the page's address */
export async function findOn(html: string, url: string, rest: Rest): Promise<FoundPage> {
	const page = new Page(await readElements(html, rest), url, rest);
	const found = await thingIn(page, url);
	return { lists: [], thing: found?.thing, isThing: found?.isNamed ?? false };
}
