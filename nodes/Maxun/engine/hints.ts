import type { IExecuteFunctions } from 'n8n-workflow';

/** Hints beside the output: each one appears once, however many items it concerns. */
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
