import type { IExecuteFunctions } from 'n8n-workflow';
import { setCustomData } from '../../n8n/olderVersions';

/** The key in the execution's custom data, where n8n allows letters, digits and underscores. */
const KEY = 'maxun_items_done';

/** How many items of the node are done, e.g. `3 of 10`. @param left the number of items that aren't */
export function progressOf(context: IExecuteFunctions, left: number): string {
	const total = context.getInputData().length;
	return `${total - left} of ${total}`;
}

/**
 * Shows the progress in the list of executions, as custom data. n8n stores it with each pause and at the end.
 *
 * Next to the output of the paused node, a hint shows the same.
 */
export function showProgress(context: IExecuteFunctions, left: number): void {
	setCustomData(context, KEY, progressOf(context, left));
}
