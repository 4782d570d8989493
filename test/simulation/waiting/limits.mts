/** More requests than any history needs. Then it is stopped. */
export const MOST_REQUESTS = 20_000;
