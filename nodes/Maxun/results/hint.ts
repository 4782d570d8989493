/**
 * Shows a hint next to the output, once for all items that it applies to.
 *
 * @param subject for example, a page
 */
export type Hint = (message: string, count?: number, subject?: string) => void;
