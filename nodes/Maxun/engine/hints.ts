import type { IExecuteFunctions } from 'n8n-workflow';

/** Hints next to the output. Each appears once, regardless of the number of items. */
export class Hints {
	private readonly counts = new Map<string, number>();

	add(message: string): void {
		this.counts.set(message, (this.counts.get(message) ?? 0) + 1);
	}

	show(context: IExecuteFunctions): void {
		for (const [message, count] of this.counts) {
			const times = count > 1 ? ` (${count} times)` : '';
			context.addExecutionHints({ message: message + times, location: 'outputPane' });
		}
		this.counts.clear();
	}
}
