import type { IExecuteFunctions } from 'n8n-workflow';
import type { Notices } from '../runs/types';
import type { NodeFailure } from './errors';

/** Hints next to the output. Each appears once, regardless of the number of items. */
export class Hints implements Notices {
	private readonly counts = new Map<string, number>();

	/** @param remainders what earlier tries of the node left in Maxun. Later tries get what this one leaves */
	constructor(private readonly remainders: string[]) {}

	/** A property, because operations get this method without its object. */
	readonly hint = (message: string): void => {
		this.counts.set(message, (this.counts.get(message) ?? 0) + 1);
	};

	readonly remains = (message: string): void => {
		this.remainders.push(message);
	};

	/** Shows everything next to the output. */
	show(context: IExecuteFunctions): void {
		this.remainders.forEach(this.hint);
		for (const [message, count] of this.counts) {
			const times = count > 1 ? ` (${count} times)` : '';
			context.addExecutionHints({ message: message + times, location: 'outputPane' });
		}
		this.counts.clear();
	}

	/** Adds what remains in Maxun to the error, because n8n shows no hints for a node that fails. */
	addTo(failure: NodeFailure): void {
		const named = `${failure.message} ${failure.description}`;
		const others = this.remainders.filter((remainder) => !named.includes(remainder));
		failure.description = [failure.description, ...new Set(others)].filter(Boolean).join('. ');
	}

	/** Logs what remains in Maxun, because n8n shows neither hints nor errors of a cancelled node. */
	log({ logger }: IExecuteFunctions): void {
		for (const message of this.remainders) logger.warn(message);
	}
}
