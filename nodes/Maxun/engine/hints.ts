import type { IExecuteFunctions } from 'n8n-workflow';
import { isCanceled } from '../runs/caller';
import { noDataHint, skippedHint } from '../runs/pageHints';
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
		const remaining = [...leftoversOf(states), ...leftovers];
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
		const remaining = [...leftoversOf(states), ...leftovers];
		if (remaining.length === 0) return error;
		if (isCanceled(context)) context.logger.warn(sentenceOf(remaining));
		if (!isNodeFailure(error)) return error;
		const named = `${error.message} ${error.description}`;
		const others = remaining.filter(({ robotId }) => !named.includes(robotId));
		error.description = [error.description, sentenceOf(others)].filter(Boolean).join('. ');
		return error;
	}
}

const leftoversOf = (states: ItemState[][]) =>
	states.flat().flatMap((state) => ('leftover' in state && state.leftover ? [state.leftover] : []));

/** The names without empty and repeated ones. */
const namesOf = (names: Array<string | false | undefined>): string[] => [
	...new Set(names.filter((name): name is string => Boolean(name))),
];
