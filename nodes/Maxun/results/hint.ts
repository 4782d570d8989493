/**
 * Shows a hint next to the output, once for all items that it applies to.
 *
 * @param subject a page, for example
 */
export type Hint = (message: string, count?: number, subject?: string) => void;
