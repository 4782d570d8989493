import type { IExecuteFunctions } from 'n8n-workflow';
import { isCanceled } from './waiting/caller';
import { sentenceOf } from '../runs/temporary';
import type { ItemState, Leftover } from '../runs/types';
import { isNodeFailure } from './errors';

/** Hints next to the output. Each appears once, regardless of the number of items. */
export class Hints {
	private readonly counts = new Map<string, number>();

	constructor(private readonly context: IExecuteFunctions) {}

	/** A property, because operations get this method without its object. */
	readonly hint = (message: string): void => {
		this.counts.set(message, (this.counts.get(message) ?? 0) + 1);
	};

	/** Shows everything next to the output. @param leftovers robots that remain in Maxun, besides those of the states */
	show(states: ItemState[][], leftovers: Leftover[]): void {
		const all = states.flat();
		const skipped = namesOf(all.map((state) => 'skipped' in state && state.skipped));
		if (skipped.length > 0) this.hint(skippedHint(skipped));
		const empty = namesOf(all.map((state) => 'empty' in state && state.empty));
		if (empty.length > 0) this.hint(noDataHint(empty));
		const remaining = allLeftovers(states, leftovers);
		if (remaining.length > 0) this.hint(sentenceOf(remaining));
		for (const [message, count] of this.counts) {
			const times = count > 1 ? ` (${count} times)` : '';
			this.context.addExecutionHints({ message: message + times, location: 'outputPane' });
		}
	}

	/**
	 * Adds what remains in Maxun to an error, because n8n shows no hints for a node that fails. n8n shows nothing of a
	 * canceled node, so the log gets it.
	 *
	 * @returns the error
	 */
	addTo(error: unknown, states: ItemState[][], leftovers: Leftover[]): unknown {
		const { context } = this;
		const remaining = allLeftovers(states, leftovers);
		if (remaining.length === 0) return error;
		if (isCanceled(context)) context.logger.warn(sentenceOf(remaining));
		if (!isNodeFailure(error)) return error;
		error.description = [error.description, sentenceOf(remaining)].filter(Boolean).join('. ');
		return error;
	}
}

const allLeftovers = (states: ItemState[][], others: Leftover[]) => {
	const own = states.flat().map((state) => ('leftover' in state ? state.leftover : undefined));
	return [...own.filter((leftover) => leftover !== undefined), ...others];
};

/** The names without empty and repeated ones. */
const namesOf = (names: Array<string | false | undefined>): string[] => [
	...new Set(names.filter((name): name is string => Boolean(name))),
];

/** How many pages a hint lists. */
const MOST_NAMES = 20;

/** The hint that lists skipped pages. @param skipped one text for each page, with the reason */
const skippedHint = (skipped: string[]) =>
	`${skipped.length} ${skipped.length === 1 ? 'page was' : 'pages were'} skipped: ${listed(skipped)}`;

/** The hint that lists pages whose runs succeeded without data. @param urls of the pages */
const noDataHint = (urls: string[]) =>
	urls.length === 1
		? `1 page returned no data: ${listed(urls)}. Maxun may not be able to open it`
		: `${urls.length} pages returned no data: ${listed(urls)}. Maxun may not be able to open them`;

function listed(pages: string[]): string {
	const rest = pages.length - MOST_NAMES;
	return pages.slice(0, MOST_NAMES).join(', ') + (rest > 0 ? `, and ${rest} more` : '');
}
