import type { IExecuteFunctions } from 'n8n-workflow';
import { isCanceled } from './caller';
import { short, firstOf, sentences } from '../http/text';
import type { Extent, Hint } from '../results/hint';
import type { HintArguments } from './state';
import { isNodeFailure } from '../http/nodeError';
import { NOT_REPAIRED } from '../runs/repair';

/** Each hint appears once, with its subjects, regardless of the number of items. */
export class Hints {
	private readonly counts = new Map<string, Map<string, Count>>();

	constructor(private readonly context: IExecuteFunctions) {}

	/** A property, because operations call it as a plain function. */
	readonly hint: Hint = (message, count = 1, subject = '', extent = { all: 0 }) => {
		const subjects = this.counts.get(message) ?? new Map<string, Count>();
		const earlier = subjects.get(subject) ?? { count: 0, all: 0, example: extent.example };
		const all = earlier.all + extent.all;
		const sum = { ...earlier, count: earlier.count + count, all };
		this.counts.set(message, subjects.set(subject, sum));
	};

	get sentences(): string[] {
		return [...this.counts].map(([message, subjects]) => message + inBrief(subjects));
	}

	show(): void {
		for (const message of this.sentences)
			this.context.addExecutionHints({ message, location: 'outputPane' });
	}

	/** n8n doesn't show hints for a node that fails or is canceled, so the log lists what is left in Maxun. */
	addTo(error: unknown, more: string[], tasks: Array<{ hints: HintArguments[] }>): unknown {
		const { context } = this;
		for (const hint of tasks.flatMap(({ hints }) => hints))
			if (PAID.includes(hint[0])) this.hint(...hint);
		const remaining = PAID.flatMap((message) => {
			const reasons = this.counts.get(message);
			return reasons ? [message + inBrief(reasons)] : [];
		});
		if (isCanceled(context)) remaining.forEach((sentence) => context.logger.warn(sentence));
		if (!isNodeFailure(error)) return error;
		error.description = sentences(error.description, ...more, ...remaining);
		return error;
	}
}

const REMAIN =
	"Temporary robots remain in Maxun. Once the time in a robot's name has passed, an execution with an admin's key deletes it";

const PAID = [REMAIN, NOT_REPAIRED];

export const leftover = (reason: string): HintArguments => [REMAIN, 1, reason];

export const isLeftover = ([message]: HintArguments): boolean => message === REMAIN;

type Count = Extent & { count: number };

function inBrief(subjects: Map<string, Count>): string {
	const times = ({ count, all, example }: Count) => {
		const such = example === undefined ? '' : `, such as '${short(example, 60)}'`;
		if (all > 0) return ` (${count} of ${all}${such})`;
		return count > 1 ? ` (${count} times)` : '';
	};
	const [[only, count]] = subjects;
	if (subjects.size === 1 && only === '') return times(count);
	const named = [...subjects].map(([subject, number]) => subject + times(number));
	// Ten long texts hide what else happened.
	const isShort = named.slice(0, 10).join().length < 1_000;
	return `: ${firstOf(named, isShort ? 10 : 3)}`;
}
