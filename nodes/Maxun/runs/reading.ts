import type { Captured } from '../results/captured';
import { reasonOf } from '../results/outcome';
import { refusalOf } from '../results/pageState';
import { sentences } from '../http/text';
import { RunFault } from '../results/runFault';

/** As the browser has it. A scrape robot would return less. */
export const pageHtml = (selector: 'html' | 'body') => ({
	name: HTML,
	selector,
	attribute: 'outerHTML',
});

const HTML = 'HTML';

/** The HTML that a robot's run has captured for a lesson. @throws RunFault if Maxun could not read the page */
export function htmlOf({ run, parts }: Captured, page: string): string {
	const rows = parts.flatMap((part) => part.rows);
	const [html] = rows.flatMap((row) => row[HTML] ?? row.html ?? []);
	const isRead = run.status === 'success' && typeof html === 'string';
	const reason = isRead ? refusalOf({ html })?.reason : reasonOf(run, 'The run returned no HTML');
	if (isRead && reason === undefined) return html;
	const short = reason ?? 'no HTML';
	throw new RunFault(
		`Maxun could not read ${page} to find the rows`,
		sentences(short, 'Check the page in a browser'),
		short,
		{ forModel: 'Try another page, or tell the user the reason' },
	);
}
