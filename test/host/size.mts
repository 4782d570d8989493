/** Whether the suites run at the size that their figures are given for (`--full`); else at one that a build has time for. */
export const FULL = process.env.SUITE_SIZE === 'full';
