/** The number of values that a hint counts, and the first of them. */
export interface Extent {
	all: number;
	example?: string;
}

/** Shows a hint next to the output, once for all items that it applies to. */
export type Hint = (message: string, count?: number, subject?: string, extent?: Extent) => void;
