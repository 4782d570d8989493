import type { IExecuteFunctions } from 'n8n-workflow';

/** The key in the execution's custom data, where n8n allows letters, digits and underscores. */
const KEY = 'maxun_items_done';

/**
 * Adds how many items of the node are done to the execution's custom data, e.g. `3 of 10`. n8n stores it with each pause
 * and at the end. An item with several runs counts once for each.
 *
 * @param left the number of items that aren't done
 */
export function showProgress(context: IExecuteFunctions, total: number, left: number): void {
	context.getWorkflowDataProxy(0).$execution?.customData?.set(KEY, `${total - left} of ${total}`);
}
