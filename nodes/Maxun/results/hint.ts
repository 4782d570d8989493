/**
 * Notes what the user should know about the output, and how often it applies. Messages are shown once, with what they are
 * about.
 *
 * @param subject a page, for example
 */
export type Hint = (message: string, count?: number, subject?: string) => void;
