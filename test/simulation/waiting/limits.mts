/** More requests than any history needs. A history with more is stopped. */
export const MOST_REQUESTS = 20_000;
