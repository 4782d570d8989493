/** Shows a hint next to the output. The same hint appears once. @param count how often it applies; 1 by default */
export type Hint = (message: string, count?: number) => void;
