import type { Run } from '../../maxun/service.mts';
import type { Account } from '../maxun/account.mts';
import type { N8n } from '../../n8n/host.mts';
import type { Publication } from '../../n8n/publisher.mts';
import type { Story } from '../story.mts';
import { selectionOf, selects } from '../triggers.mts';

/** Lists and self-hosted times are exact to a second, and lists may be some seconds late. Milliseconds. */
export const TOLERANCE = 5_000;

/** A run that has ended. `end` is the true time, in epoch milliseconds. */
export interface EndedRun {
	run: Run;
	account: Account;
	end: number;
}

/** One node in one workflow. A deleted and re-added node is another one, whatever its name. */
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

export function wants({ trigger }: Publication, { run, account }: EndedRun): boolean {
	const selection = selectionOf(trigger);
	return selection.account === account.own.name && selects(selection, run);
}

/**
 * Since when a node has waited for runs such as this one: the user has published it with this robot, this event and this
 * account, and has not published it without them since. Between unpublishing and publishing the same again, runs may or may
 * not start the workflow, so that an earlier publication counts, too.
 *
 * @param until the last publication that counts, in epoch milliseconds
 * @returns epoch milliseconds; undefined if the node has never waited for such runs
 */
export function watchedSince(node: Node, ended: EndedRun, until: number): number | undefined {
	let since: number | undefined;
	for (const publication of node.publications) {
		const { began, failed } = publication;
		if (began > until) break;
		// A publication that failed waits for nothing.
		if (failed && failed.at < until) continue;
		since = wants(publication, ended) ? (since ?? began) : undefined;
	}
	return since;
}

/** A time in which a run that ends must start the workflow. Epoch milliseconds. */
export interface Watch {
	/** The publications that it consists of. The workflow was changed in between, but still waited for the run. */
	publications: Publication[];
	from: number;
	to: number;
}

/** The time in which a node waited for a run when it ended. */
export function watchOf(node: Node, ended: EndedRun): Watch | undefined {
	let watch: Watch | undefined;
	for (const publication of node.publications) {
		const { succeeded, failed, ended: end, wasInterrupted } = publication;
		const isOn = wants(publication, ended) && succeeded !== undefined && !failed && !wasInterrupted;
		if (!isOn) {
			if (watch && watch.to > ended.end) return watch;
			watch = undefined;
			continue;
		}
		// The workflow was changed without a gap.
		const isContinued = watch?.publications.at(-1)?.ended?.by === 'publish';
		const from: number = watch && isContinued ? watch.from : succeeded + TOLERANCE;
		if (watch && !isContinued && watch.to > ended.end)
			return watch.from < ended.end ? watch : undefined;
		const publications: Publication[] =
			watch && isContinued ? [...watch.publications, publication] : [publication];
		watch = { publications, from, to: end?.at ?? Infinity };
	}
	const isIn = watch && watch.from < ended.end && ended.end < watch.to;
	return isIn ? watch : undefined;
}
