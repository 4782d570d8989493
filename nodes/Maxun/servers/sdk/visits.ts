import type { IDataObject } from 'n8n-workflow';
import { MaxunFault } from '../../http/fault';
import { isCapture, type Workflow } from './workflow';

const isVisit = ({ action }: IDataObject) => action === 'goto';

/** Whether a workflow opens several pages. Maxun then doesn't know which of them a new URL should replace. */
export const opensSeveral = (workflow: Workflow): boolean =>
	workflow.flatMap(({ what }) => what).filter(isVisit).length > 1;

/**
 * The workflow of a copy for another page, if it opens several. Maxun itself would replace the first page, such as a
 * login page.
 *
 * @throws MaxunFault unless all data is read right after the last page was opened
 */
export function withDataPage(workflow: Workflow, url: string, name: string): Workflow {
	// A workflow runs from its end, so the first entry opens the last page.
	const last = workflow.findIndex(({ what }) => what.some(isVisit));
	const { what } = workflow[last];
	const visit = what.map(isVisit).lastIndexOf(true);
	const next = what.findIndex(
		({ action }, index) => index > visit && action !== 'waitForLoadState',
	);
	const isReadElsewhere = workflow.some(
		(pair, index) => index !== last && pair.what.some(isCapture),
	);
	if (isReadElsewhere || what.findIndex(isCapture) !== next || next < 0) throw unclear(name);
	const changed = what.map((step, index) => (index === visit ? { ...step, args: [url] } : step));
	return workflow.map((pair, index) => (index === last ? { ...pair, what: changed } : pair));
}

const unclear = (name: string) =>
	new MaxunFault(
		'The robot cannot be copied for another URL',
		`The robot '${name}' opens several pages, and does not read all data from the last one. Create a separate robot for each URL`,
		{ status: 400 },
	);
