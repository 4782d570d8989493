import type { IExecuteFunctions } from 'n8n-workflow';
import { isCanceled } from './caller';
import { firstOf } from '../http/text';
import type { Leftover } from '../runs/types';
import type { Hint } from '../results/hint';
import type { ItemState } from './state';
import { isNodeFailure } from '../http/nodeError';

/** Hints next to the output. Each appears once, regardless of the number of items. */
export class Hints {
	private readonly counts = new Map<string, number>();

	/** @param leftovers the temporary robots that could not be deleted so far */
	constructor(
		private readonly context: IExecuteFunctions,
		readonly leftovers: Leftover[] = [],
	) {}

	/** A property, because operations get this method without its object. */
	readonly hint: Hint = (message, count = 1) => {
		this.counts.set(message, (this.counts.get(message) ?? 0) + count);
	};

	/** Notes a temporary robot that could not be deleted. */
	readonly onLeftover = (leftover: Leftover): void => {
		this.leftovers.push(leftover);
	};

	/** Shows everything next to the output. */
	show(states: ItemState[][]): void {
		const all = states.flat();
		for (const state of all) {
			const hints = 'items' in state ? (state.hints ?? {}) : {};
			for (const [message, count] of Object.entries(hints)) this.hint(message, count);
		}
		const skipped = namesOf(all.map((state) => 'skipped' in state && state.skipped));
		if (skipped.length > 0) this.hint(skippedHint(skipped));
		const empty = namesOf(all.map((state) => 'empty' in state && state.empty));
		if (empty.length > 0) this.hint(noDataHint(empty));
		if (this.leftovers.length > 0) this.hint(sentenceOf(this.leftovers));
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
	addTo(error: unknown): unknown {
		const { context, leftovers } = this;
		if (leftovers.length === 0) return error;
		if (isCanceled(context)) context.logger.warn(sentenceOf(leftovers));
		if (!isNodeFailure(error)) return error;
		error.description = [error.description, sentenceOf(leftovers)].filter(Boolean).join('. ');
		return error;
	}
}

/** Lists robots that remain in Maxun, one sentence for each reason. */
function sentenceOf(leftovers: Leftover[]): string {
	const reasons = [...new Set(leftovers.map(({ reason }) => reason))];
	const sentences = reasons.map((reason) => {
		const found = leftovers.filter((robot) => robot.reason === reason);
		const ids = [...new Set(found.map(({ robotId }) => robotId))];
		return ids.length === 1
			? `The temporary robot ${ids.join()} remains in Maxun: ${reason}`
			: `${ids.length} temporary robots remain in Maxun (${ids.join(', ')}): ${reason}`;
	});
	return `${sentences.join('. ')}. ${LATER}`;
}

const LATER =
	"Once the time in a robot's name has passed, an execution with an admin's key deletes the robot";

/** The names without empty and repeated ones. */
const namesOf = (names: Array<string | false | undefined>): string[] => [
	...new Set(names.filter((name): name is string => Boolean(name))),
];

/** The hint that lists skipped pages. @param skipped one text for each page, with the reason */
const skippedHint = (skipped: string[]) =>
	`${skipped.length} ${skipped.length === 1 ? 'page was' : 'pages were'} skipped: ${firstOf(skipped, 20)}`;

/** The hint that lists pages whose runs succeeded without data. @param urls of the pages */
const noDataHint = (urls: string[]) =>
	urls.length === 1
		? `1 page returned no data: ${firstOf(urls, 20)}. Maxun may not be able to open it`
		: `${urls.length} pages returned no data: ${firstOf(urls, 20)}. Maxun may not be able to open them`;
