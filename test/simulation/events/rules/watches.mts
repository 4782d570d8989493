import type { INodeExecutionData } from 'n8n-workflow';
import type { Run } from '../../maxun/service.mts';
import type { Account } from '../maxun/account.mts';
import type { N8n } from '../../n8n/host.mts';
import type { Publication } from '../../n8n/publisher.mts';
import type { Story } from '../story.mts';
import { selectionOf, selects } from '../triggers.mts';

/** Lists and self-hosted times are exact to a second, and lists may be a few seconds late. Milliseconds. */
export const TOLERANCE = 5_000;

/** If a workflow was unpublished for longer, it starts over. Milliseconds. */
const REPUBLISHED = 72 * 3_600_000;

const MINUTE = 60_000;

/** A run that has ended. `end` is the true time, in epoch milliseconds. */
export interface EndedRun {
	run: Run;
	account: Account;
	end: number;
}

/** One node in one workflow. A node that was deleted and added again is another node, whatever its name. */
export interface Node {
	host: N8n;
	workflowId: string;
	nodeId: string;
	/** In order. */
	publications: Publication[];
}

export const nameOf = ({ host, workflowId, nodeId }: Node): string =>
	`'${nodeId}' of '${workflowId}' in ${host.settings.origin}`;

/** All nodes that were ever published. */
export function nodesOf({ publications }: Story): Node[] {
	const nodes = new Map<string, Node>();
	for (const publication of publications) {
		const { host, workflowId, trigger } = publication;
		const node: Node = { host, workflowId, nodeId: trigger.id, publications: [] };
		const key = nameOf(node);
		const found = nodes.get(key) ?? node;
		found.publications.push(publication);
		nodes.set(key, found);
	}
	return [...nodes.values()];
}

export function wants(publication: Publication, { run, account }: EndedRun): boolean {
	const selection = selectionOf(publication.trigger);
	return selection.account === account.own.name && selects(selection, run);
}

/**
 * A period in which a node waits for runs of this kind. It begins when the user publishes the node with this account,
 * robot and event. It ends when the node is published without them, or is unpublished for more than three days. Epoch
 * milliseconds.
 */
export interface Watch {
	/** The publications that it consists of. */
	publications: Publication[];
	/** When the first of them began. Earlier runs must not start the workflow. */
	since: number;
	/** When the first publication succeeded. Later runs must start the workflow. */
	from: number;
	to: number;
}

/** A node's watches for runs of this kind, in order. */
export function watchesOf({ publications }: Node, ended: EndedRun): Watch[] {
	const watches: Watch[] = [];
	let current: Watch | undefined;
	for (const publication of publications) {
		const { began, succeeded, failed, wasInterrupted } = publication;
		// A failed publication may wait for runs, but doesn't have to.
		const isFailed = failed !== undefined || succeeded === undefined || wasInterrupted === true;
		const before = current?.publications.at(-1)?.ended?.at ?? began;
		const isContinued = current && began - before <= REPUBLISHED;
		if (current && (!wants(publication, ended) || !isContinued)) {
			current.to = Math.min(current.to, before);
			current = undefined;
		}
		if (!wants(publication, ended)) continue;
		if (!current) {
			current = { publications: [], since: began, from: Infinity, to: Infinity };
			watches.push(current);
		}
		current.publications.push(publication);
		if (!isFailed) current.from = Math.min(current.from, succeeded + TOLERANCE);
	}
	const last = current?.publications.at(-1);
	// n8n doesn't start a workflow whose publication has failed.
	const end = last?.ended ?? last?.failed;
	if (current && end) current.to = end.at;
	return watches;
}

/** The IDs of the items' runs. */
export const runsOf = (items: INodeExecutionData[]): string[] =>
	items.flatMap(({ json: { run } }) =>
		typeof run === 'object' && run !== null && 'id' in run ? String(run.id) : [],
	);

/** Workflows are called by their numbers. In n8n 1, only executions that a publication interrupts overwrite its data. */
export const mayBeOverwritten = (
	{ history }: Story,
	{ workflowId, host, began }: Publication,
): boolean =>
	history.workflows[Number(/\d+/.exec(workflowId)?.[0])]?.writesData === true &&
	(history.host.hooks !== 'first' ||
		host.starts.some(
			(start) => start.workflowId === workflowId && Math.abs(start.began - began) < MINUTE,
		));

/** Whether something failed while a publication ended or failed. */
export function wasEndDisturbed(
	story: Story,
	{ host, ended, failed, began }: Publication,
): boolean {
	const { at } = ended ?? { at: story.ended };
	return (
		isDisturbed(story, host, at, at + MINUTE) ||
		(failed !== undefined && isDisturbed(story, host, began, failed.at))
	);
}

const isDisturbed = (
	{ disturbances, refusals }: Story,
	host: Publication['host'],
	from: number,
	to: number,
): boolean =>
	[...disturbances, ...refusals].some(
		(one) =>
			one.from <= to && from <= one.to && !one.workflowId && (!one.host || one.host === host),
	);
