/** How many values a hint is about, and the first of those that it counts. */
export interface Extent {
	all: number;
	example: string;
}

/**
 * Shows a hint next to the output, once for all items that it applies to.
 *
 * @param subject for example, a page
 */
export type Hint = (message: string, count?: number, subject?: string, extent?: Extent) => void;
