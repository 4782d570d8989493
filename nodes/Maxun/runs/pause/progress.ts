import type { IExecuteFunctions } from 'n8n-workflow';
import { setCustomData } from '../../n8n/olderVersions';

/** The key in the execution's custom data, where n8n allows letters, digits and underscores. */
const KEY = 'maxun_items_done';

/**
 * How many items of the node are done, e.g. `3 of 10`. An item with several runs counts once for each.
 *
 * @param left the number of items that aren't done
 */
export const progressOf = (total: number, left: number) => `${total - left} of ${total}`;

/**
 * Shows the progress in the list of executions, as custom data. n8n stores it with each pause and at the end.
 *
 * A hint at the node contains the same. n8n 2.41.1 stores it, but its editor only shows hints of nodes with output.
 */
export function showProgress(context: IExecuteFunctions, progress: string): void {
	setCustomData(context, KEY, progress);
}
